// The second verifier as a worker, so that the page stays awake while it reckons. It says that it is ready, is sent bytes
// and options of `verify`, and answers with the `verdict`; or that the trust file is `unusable`, why this browser is
// `unable` to verify anything, or that the verifier was `broken` by the file.

import { Unable, Unusable, verify } from "./verify.mjs";

addEventListener("message", async ({ data: { bytes, options } }) => {
  try {
    postMessage({ verdict: await verify(bytes, options) });
  } catch (failure) {
    if (failure instanceof Unusable) postMessage({ unusable: true });
    else if (failure instanceof Unable) postMessage({ unable: failure.message });
    else postMessage({ broken: true });
  }
});
postMessage({ ready: true });
