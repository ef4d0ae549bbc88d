import { isMain } from "../is-main.ts";
import type { Task } from "./task.ts";
import { runTask } from "./task.ts";

/** Programs that write files of this repository again. */
export const generators: readonly Task[] = [
  {
    name: "catalogue",
    title: "The catalogue of models, from its pinned packages.",
    run: ["scripts/catalogue/catalogue.ts"],
  },
  {
    name: "kernel",
    title: "The reader of rows in WebAssembly, from its AssemblyScript.",
    run: ["scripts/kernel/compile.ts"],
  },
  {
    name: "sample",
    title: "The sample in media/sample.json.br; --check only says whether it is up to date.",
    run: ["test/sample/main.ts"],
  },
  {
    name: "recordings",
    title: "test/recordings, with the real agents and a stand-in model.",
    run: ["test/agents/recordings/record.ts"],
  },
  {
    name: "golden-recordings",
    title: "The scripted recordings of the golden suite.",
    run: ["test/agents/recordings/golden.ts"],
  },
  {
    name: "golden-audit",
    title: "The stamps of golden tasks whose checks tell work from none.",
    run: ["test/golden/audit-all.ts"],
  },
  {
    name: "pictures",
    title: "Pictures of panels in media, in the Chromium that tests use.",
    run: ["test/webview/take-guide-pictures.ts"],
  },
];

if (isMain(import.meta.filename)) process.exitCode = runTask("generate", generators, process.argv.slice(2));
