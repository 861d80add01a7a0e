// Writes the modules of a folder without their types, by name: `node strip.mjs FOLDER`.
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const [folder] = process.argv.slice(2);
const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "schema.ts");
const stripped = (name) => stripTypeScriptTypes(readFileSync(`${folder}/${name}`, "utf8"));
console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, stripped(name)]))));
