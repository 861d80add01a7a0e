// Node wants the extensions of the modules that are imported.
export default {
  input: process.env.CONTRACT,
  output: { path: "client", module: { extension: ".js" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  logs: { file: false },
};
