// Draws the API reference from the description that this server itself serves, within the page's own heading.
// The library's parts stay as they are but for those that assistive technology stumbles over, and that are slow.

const place = document.getElementById("reference");

/** The library's pieces in an order of our own: no title, no list of servers, no landmark within the page's. */
function Reference({ getComponent }, { React }) {
  const make = React.createElement;
  return make(
    "div",
    { className: "swagger-ui" },
    make(getComponent("SvgAssets")),
    make(getComponent("errors", true)),
    make("h2", { className: "unseen", lang: document.documentElement.lang }, place.dataset.calls),
    make("div", { className: "keys" }, make(getComponent("AuthorizeBtnContainer", true))),
    make(getComponent("operations", true)),
    make(getComponent("Models", true)),
  );
}

/** The path of a call stands within the button that opens it: there it must not be a link as well. */
const PathWithoutLink = (Link, { React }) => (props) => {
  const isCall = props.path.includes("/");
  return isCall ? React.createElement("span", { className: "nostyle" }, props.text) : React.createElement(Link, props);
};

/** What one types a body into has no label of its own. */
const NamedArea = (Area, { React }) => (props) => React.createElement(Area, { "aria-label": "Body", ...props });

/** The button that closes a dialog shows a sign and says nothing. */
const NamedClosing = (Icon, { React }) => (props) =>
  React.createElement(React.Fragment, null, React.createElement(Icon, props), React.createElement("span", { className: "unseen" }, "Close"));

/** What a pointer ("#/components/schemas/Problem") points at. */
function pointedAt(whole, pointer) {
  const steps = pointer.slice(2).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((value, step) => value?.[step], whole);
}

/** The value with what its references point at in their place. A shape within itself stays a reference there. */
function inlined(value, whole, open = []) {
  if (Array.isArray(value)) return value.map((item) => inlined(item, whole, open));
  if (value === null || typeof value !== "object") return value;
  const { $ref: pointer, ...rest } = value;
  const own = Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, inlined(item, whole, open)]));
  if (typeof pointer !== "string") return own;
  if (open.includes(pointer)) return value;
  return { title: pointer.split("/").at(-1), ...inlined(pointedAt(whole, pointer), whole, [...open, pointer]), ...own };
}

/** In place of the library's own way, which reads the whole description anew for every call that is opened. */
async function resolveSubtree(whole, path) {
  return { spec: inlined(path.reduce((value, step) => value?.[step], whole), whole), errors: [] };
}

/** The groups of calls with what somebody looks for: every word is in the path, the summary, the name or the group of a call. */
function opsFilter(groups, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const says = (group, call) =>
    [group, call.get("method"), call.get("path"), call.getIn(["operation", "operationId"]), call.getIn(["operation", "summary"])].join(" ").toLowerCase();
  const found = (group) => (call) => words.every((word) => says(group, call).includes(word));
  return groups
    .map((group, name) => group.update("operations", (calls) => calls.filter(found(name))))
    .filter((group) => group.get("operations").size > 0);
}

const ours = (system) => ({
  fn: { resolveSubtree, opsFilter },
  components: { Reference: (props) => Reference(props, system) },
  wrapComponents: { DeepLink: PathWithoutLink, TextArea: NamedArea, CloseIcon: NamedClosing },
});

/** The library's dark colours go by a class of the document. */
function followScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

/** Show only calls that have what is typed, with their groups open. */
function findWhatIsTyped(groups, isOpen) {
  const field = document.getElementById("find");
  const find = () => {
    const phrase = field.value.trim();
    window.ui.layoutActions.updateFilter(phrase);
    for (const group of groups) window.ui.layoutActions.show(["operations-tag", group], isOpen || phrase !== "");
  };
  field.addEventListener("input", find);
  if (field.value) find(); // typed before the calls were there
}

async function draw() {
  followScheme();
  const tag = new URLSearchParams(location.search).get("tag");
  const answer = await fetch(tag === null ? "/openapi.json" : `/openapi.json?tag=${encodeURIComponent(tag)}`);
  const spec = await answer.json();
  window.ui = SwaggerUIBundle({
    spec,
    domNode: place,
    layout: "Reference",
    plugins: [ours],
    deepLinking: true,
    validatorUrl: null,
    docExpansion: tag === null ? "none" : "list", // eighty calls take four times as long to draw as their groups
    defaultModelsExpandDepth: 0,
    onComplete: () => findWhatIsTyped(spec.tags.map((group) => group.name), tag !== null),
  });
}

draw();
