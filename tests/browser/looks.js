// What can be measured of how a page looks: the faults, as sentences; of its colours alone, where another scheme is all
// that has changed. An expression, given to the page by looks.py.
(coloursAlone) => {
  const LEAST = 44;
  const LEAST_CONTRAST = 4.5;
  const TARGETS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=slider], [role=tab]";
  const SHAPES = "rect, path, circle, ellipse, polygon";
  const FANS = ".fan, .backs, .stack, [data-fan]";
  const SLACK = 2;
  const EVERYWHERE = { left: 0, top: -Infinity, right: Infinity, bottom: Infinity };

  const faults = [];

  /** How an element is called in a sentence. */
  function named(element) {
    const name = element.localName + (element.id ? `#${element.id}` : "") + (element.getAttribute("class") ? `.${element.getAttribute("class").trim().replaceAll(/\s+/g, ".")}` : "");
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 40);
    return `<${name}> "${text}"`;
  }

  function common(one, other) {
    const left = Math.max(one.left, other.left);
    const top = Math.max(one.top, other.top);
    return { left, top, right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) };
  }

  const wide = (box) => box.right - box.left;
  const high = (box) => box.bottom - box.top;

  const frames = new Map();

  /** What the ancestors of an element leave to be seen of what is in it; null if that is nothing. */
  function frame(holder) {
    if (holder === null || holder === document.body) return EVERYWHERE;
    if (frames.has(holder)) return frames.get(holder);
    const style = getComputedStyle(holder);
    const box = holder.getBoundingClientRect();
    let rest = style.position === "fixed" ? EVERYWHERE : frame(holder.parentElement);
    if (style.clipPath !== "none" && high(box) <= 1) rest = null;
    else if (rest !== null && style.overflow !== "visible" && !(holder instanceof SVGElement)) rest = common(rest, box);
    frames.set(holder, rest);
    return rest;
  }

  /** What is to be seen of a box of an element, or of a line of its text; null if that is nothing. */
  function seen(element, box, isText = false) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    const isFixed = getComputedStyle(element).position === "fixed";
    const around = isText ? frame(element) : isFixed ? EVERYWHERE : frame(element.parentElement);
    if (around === null) return null;
    const rest = common(around, box);
    return wide(rest) > 1 && high(rest) > 1 ? rest : null;
  }

  function isInline(element) {
    return getComputedStyle(element).display === "inline";
  }

  /** The lines of a text node, each as high as its letters are: lines may stand closer than the boxes of a font. */
  function lines(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const size = Number.parseFloat(getComputedStyle(node.parentElement).fontSize);
    return [...range.getClientRects()].map((box) => {
      const scale = node.parentElement instanceof SVGElement ? box.height * 0.6 : Math.min(box.height, size * 0.7);
      const middle = (box.top + box.bottom) / 2;
      return { left: box.left, right: box.right, top: middle - scale / 2, bottom: middle + scale / 2 };
    });
  }

  /** Everything that nothing else may lie on: controls, cards, lines of text. */
  function pieces() {
    const found = [];
    const add = (element, box, what) => {
      const rest = seen(element, box, what === "text");
      if (rest !== null) found.push({ element, box: rest, what });
    };
    for (const element of document.body.querySelectorAll(`${TARGETS}, svg[role=img]`)) {
      if (!isInline(element) || element instanceof SVGElement) add(element, element.getBoundingClientRect(), "box");
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.data.trim() === "" || node.parentElement.closest("option, textarea, script, title, desc, noscript")) continue;
      for (const box of lines(node)) add(node.parentElement, box, "text");
    }
    return found;
  }

  /** Whether something is laid over the page on purpose: a bar that stays, a dialog. */
  function floats(element) {
    for (let holder = element; holder !== null; holder = holder.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(holder).position)) return holder;
    }
    return null;
  }

  /** The drawing that a text belongs to: as against everything else, the box of the drawing stands for it. */
  function within({ element, what }) {
    return what === "text" ? element.closest("svg[role=img]") : null;
  }

  function mayOverlap(one, other) {
    if (one.element.contains(other.element) || other.element.contains(one.element)) return true;
    const fan = one.element.closest(FANS);
    if (fan !== null && fan === other.element.closest(FANS)) return true;
    if (within(one) !== within(other)) return true;
    return floats(one.element) !== floats(other.element);
  }

  function overlaps() {
    const sorted = pieces().sort((one, other) => one.box.top - other.box.top);
    sorted.forEach((one, place) => {
      for (let next = place + 1; next < sorted.length && sorted[next].box.top < one.box.bottom - SLACK; next += 1) {
        const both = common(one.box, sorted[next].box);
        if (wide(both) > SLACK && high(both) > SLACK && !mayOverlap(one, sorted[next])) {
          faults.push(`overlap of ${Math.round(wide(both))} x ${Math.round(high(both))}: ${one.what} ${named(one.element)} and ${sorted[next].what} ${named(sorted[next].element)}`);
        }
      }
    });
  }

  /** Whether a link stands among other words of its paragraph, whose lines say how high it may be. */
  function inRunningText(element) {
    if (element.localName !== "a" || !isInline(element)) return false;
    let block = element.parentElement;
    while (isInline(block)) block = block.parentElement;
    const copy = block.cloneNode(true);
    for (const link of copy.querySelectorAll("a")) link.remove();
    return /[\p{L}\p{N}]/u.test(copy.textContent);
  }

  function small() {
    for (const element of document.body.querySelectorAll(TARGETS)) {
      const held = element.matches("input[type=checkbox], input[type=radio], input[type=file]") ? element.closest("label") ?? element.labels?.[0] ?? element : element;
      const box = held.getBoundingClientRect();
      if (seen(held, box) === null || inRunningText(element)) continue;
      if (box.width < LEAST - 0.5 || box.height < LEAST - 0.5) {
        faults.push(`target of ${Math.round(box.width)} x ${Math.round(box.height)}: ${named(element)}`);
      }
    }
  }

  function sideways() {
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over <= 0) return;
    const widest = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1 && seen(element, element.getBoundingClientRect()) !== null);
    faults.push(`scrolls sideways by ${over}: ${widest.slice(0, 4).map(named).join(", ")}`);
  }

  /** A colour of a computed style as [red, green, blue, alpha]; null for none. */
  function colour(text) {
    const parts = /^rgba?\(([^)]+)\)$/.exec(text);
    if (parts === null) return null;
    const [red, green, blue, alpha = 1] = parts[1].split(/[\s,/]+/).map(Number);
    return [red, green, blue, alpha];
  }

  const over = (above, alpha, below) => [0, 1, 2].map((part) => above[part] * alpha + below[part] * (1 - alpha));

  function luminance(rgb) {
    const [red, green, blue] = rgb.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  /** What lies behind an element of HTML. */
  function ground(element) {
    for (let holder = element; holder !== null; holder = holder.parentElement) {
      const found = colour(getComputedStyle(holder).backgroundColor);
      if (found !== null && found[3] === 1) return found;
    }
    return [255, 255, 255, 1];
  }

  function opacity(element) {
    let all = 1;
    for (let holder = element; holder !== null; holder = holder.parentElement) all *= Number(getComputedStyle(holder).opacity);
    return all;
  }

  /** The colour of the shape of a drawing that lies directly behind a point. */
  function behind(drawing, text, x, y) {
    const shapes = [...drawing.querySelectorAll(SHAPES)].filter((shape) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && shape.closest("defs, clipPath, mask, pattern") === null);
    for (const shape of shapes.reverse()) {
      const fill = colour(getComputedStyle(shape).fill);
      const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      if (fill !== null && fill[3] === 1 && Number(getComputedStyle(shape).fillOpacity) === 1 && shape.isPointInFill(point)) return fill;
    }
    return ground(drawing);
  }

  function paleDrawings() {
    for (const text of document.body.querySelectorAll("svg text")) {
      const box = text.getBoundingClientRect();
      const drawing = text.ownerSVGElement;
      if (seen(text, box, true) === null || text.textContent.trim() === "") continue;
      const face = behind(drawing, text, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
      compare(text, colour(getComputedStyle(text).fill), face, ground(drawing.parentElement));
    }
  }

  function paleWords() {
    for (const { element, what } of pieces()) {
      if (what !== "text" || element instanceof SVGElement || element.closest(":disabled")) continue;
      compare(element, colour(getComputedStyle(element).color), ground(element), ground(element.parentElement));
    }
  }

  /** Notes a text of a colour that is too near to that of its `face`; both may let through some of what is `below`. */
  function compare(text, ink, face, below) {
    const alpha = opacity(text);
    const ratio = contrast(over(over(ink, ink[3], face), alpha, below), over(face, alpha, below));
    if (ratio < LEAST_CONTRAST - 0.005) faults.push(`contrast of ${ratio.toFixed(2)}: ${ink} on ${face}, ${named(text)}`);
  }

  if (!coloursAlone) {
    overlaps();
    small();
    sideways();
  }
  paleDrawings();
  paleWords();
  return [...new Set(faults)];
}
