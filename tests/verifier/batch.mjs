// Answers many calls of the verifier in one process: on standard input one {"call","args"} a line, on standard output
// one {"answer"} or {"refused"} a line. Files come as base64.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const verifier = await import(pathToFileURL(process.argv[2]).href);

const CALLS = {
  ...verifier,
  verify: (file, told) => verifier.verify(Buffer.from(file, "base64"), told),
  costOf: async (file, told) => {
    const before = process.cpuUsage();
    await verifier.verify(Buffer.from(file, "base64"), told);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  },
  verifyText: (text) => verifier.verify(text),
  lp: (...fields) => verifier.hexOf(verifier.lp(...fields.map((field) => (typeof field === "string" ? field : verifier.bytesOf(field.hex))))),
  headMessage: (...given) => verifier.hexOf(verifier.headMessage(...given)),
  receiptMessage: (...given) => verifier.hexOf(verifier.receiptMessage(...given)),
  constants: () => ({ limits: verifier.LIMITS, checks: verifier.CHECKS, exits: verifier.EXITS }),
  isSigned: (key, signature, message) => verifier.isSigned(key, signature, verifier.bytesOf(message)),
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { call, args } = JSON.parse(line);
  let said;
  try {
    said = { answer: await CALLS[call](...args) };
  } catch (failure) {
    said = { refused: String(failure.stack) };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
