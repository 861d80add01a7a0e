// Codes for cameras.

import { draw } from "./cards.mjs";
import { correction, generate } from "./lean-qr/lean-qr.mjs";

/** The address as a code for cameras, with the quiet zone around it. */
export function code(address, label) {
  const bits = generate(address, { minCorrectionLevel: correction.L });
  const dark = Array.from({ length: bits.size }, (_, y) => Array.from({ length: bits.size }, (_, x) => (bits.get(x, y) ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return draw("svg", { viewBox: `-4 -4 ${bits.size + 8} ${bits.size + 8}`, class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" }, draw("path", { d: dark, fill: "#000" }));
}
