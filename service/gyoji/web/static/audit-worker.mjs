// The second verifier as a worker, so that the page stays awake while it reckons. It says that it is ready, is sent bytes
// and options of `verify`, and answers with the verdict, or with what of the options is unusable.

import { Unusable, verify } from "./verify.mjs";

addEventListener("message", async ({ data: { bytes, options } }) => {
  try {
    postMessage({ verdict: await verify(bytes, options) });
  } catch (failure) {
    postMessage({ unusable: failure instanceof Unusable });
    if (!(failure instanceof Unusable)) throw failure;
  }
});
postMessage({ ready: true });
