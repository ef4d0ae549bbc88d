import path from "node:path";
import { bundledPrograms, sourcePrograms } from "../../../src/engine/service/launch/programs.ts";

const engine = path.join(import.meta.dirname, "../../../src/engine");
/** The folder that `test/repo/built-programs.ts` names; undefined where a test runs without it. */
const built = process.env["PURSER_TEST_PROGRAMS"];

/** Programs of the service's threads. */
export const programs = built === undefined ? sourcePrograms(engine) : bundledPrograms(built);

/** The hooks' program. */
export const hookProgram = path.join(
  built ?? path.join(engine, "service"),
  built === undefined ? "hook-shim.ts" : "hook.cjs",
);
