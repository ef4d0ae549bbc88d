import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { build } from "esbuild";
import { directImports, originsIn, throughDoors } from "./through-doors.ts";

const root = mkdtempSync(path.join(tmpdir(), "doors-"));
after(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): string {
  const whole = path.join(root, "src/engine", file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

write(
  "room/door.ts",
  'export { one, type Kind } from "./inner/one.ts";\nexport { two as second } from "./inner/two.ts";\nexport const own = 3;\n',
);
write("room/inner/one.ts", 'export type Kind = "one";\nexport const one = 1;\n');
write("room/inner/two.ts", "export const two = globalThis.Number(2);\n");

describe("a bundle", () => {
  it("imports values from the files that declare them, on the same lines", () => {
    const user = path.join(root, "src/engine/user/user.ts");
    const text =
      'import {\n  one as first,\n  second,\n  own,\n  type Kind,\n} from "../room/door.ts";\nrun();\n';
    assert.equal(
      directImports(user, text, originsIn()),
      'import { one as first } from "../room/inner/one.ts"; import { two as second } from "../room/inner/two.ts"; import { own as own } from "../room/door.ts";\n\n\n\n\n\nrun();\n',
    );
  });

  it("passes on from the files that declare, also through several doors", () => {
    const other = write("other/door.ts", 'export { one } from "../room/door.ts";\n');
    const user = path.join(root, "src/extension/user.ts");
    assert.equal(
      directImports(user, 'export { one } from "../engine/other/door.ts";\n', originsIn()),
      'export { one as one } from "../engine/room/inner/one.ts";\n',
    );
    assert.equal(directImports(other, 'export { one } from "../room/door.ts";\n', originsIn()), "\n");
  });

  it("leaves imports of types, and of files that pass nothing on, as they are", () => {
    const user = path.join(root, "src/engine/user/user.ts");
    const text =
      'import type { Kind } from "../room/door.ts";\nimport { one } from "../room/inner/one.ts";\n';
    assert.equal(directImports(user, text, originsIn()), text);
  });

  it("has nothing of what it does not use behind a door", async () => {
    const user = write(
      "user/uses-own.ts",
      'import { own, one } from "../room/door.ts";\nconsole.log(own, one);\n',
    );
    const { outputFiles, metafile } = await build({
      entryPoints: [user],
      bundle: true,
      write: false,
      metafile: true,
      plugins: [throughDoors()],
    });
    assert.match(outputFiles[0]?.text ?? "", /own = 3/u);
    assert.deepEqual(
      Object.keys(metafile.inputs)
        .map((file) => path.basename(file))
        .toSorted(),
      ["door.ts", "one.ts", "uses-own.ts"],
    );
  });
});
