import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { installAfterShowing, type AgentsPorts } from "../../../src/extension/rules/agents-install.ts";
import { scratchFolder } from "../../engine/support/scratch.ts";

const agentOf = (name: string) => ({ name, definition: `---\nname: ${name}\n---\nLook.\n` });

/** Claude Code's folder with files in it, and an editor that presses the given buttons in turn. */
function place(t: TestContext, before: Readonly<Record<string, string>>) {
  const root = scratchFolder(t);
  const folder = path.join(root, "agents");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(before)) writeFileSync(path.join(folder, name), text);
  const shown: string[] = [];
  const run = async (
    names: readonly string[],
    press: readonly string[] = [],
    change: () => void = () => undefined,
  ) => {
    shown.length = 0;
    const left = [...press];
    const ports: AgentsPorts = {
      files: nodeFiles,
      t: (message, ...values) => message.replace(/\{(\d)\}/gu, (_, at) => String(values[Number(at)])),
      inform: (message, ...buttons) => {
        shown.push([message, ...buttons].join(" | "));
        const pressed = buttons.find((button) => button === left[0]);
        if (pressed !== undefined) {
          left.shift();
          change();
        }
        return Promise.resolve(pressed);
      },
      preview: ({ title, yes }) => {
        shown.push(`${title} | ${yes}`);
        return Promise.resolve(left[0] === yes && left.shift() !== undefined);
      },
      showFailure: (detail) => {
        shown.push(`failed: ${detail}`);
        return Promise.resolve();
      },
    };
    await installAfterShowing({ agents: names.map(agentOf), root }, ports);
    assert.deepEqual(left, [], "every button was there to be pressed");
    return [...shown];
  };
  const file = (name: string) => path.join(folder, `${name}.md`);
  return { run, file, names: () => readdirSync(folder).sort() };
}

test("removes the installed agents, and no other files", async (t) => {
  const { run, names } = place(t, {
    "scout.md": agentOf("scout").definition,
    "smith.md": "mine\n",
    "bard.md": agentOf("bard").definition,
  });
  const question =
    "scout is there already. A file of your own is called smith.md: it stays as it is. Nothing was written. | Remove";
  assert.deepEqual(await run(["scout", "smith"]), [question], "nothing is removed that was not asked for");
  assert.deepEqual(names(), ["bard.md", "scout.md", "smith.md"]);
  assert.deepEqual(await run(["scout", "smith"], ["Remove"]), [question, "They are gone again."]);
  assert.deepEqual(names(), ["bard.md", "smith.md"], "the user's own, and one that was not chosen, stay");
});

test("An agent that is changed while Remove is offered stays, and is named", async (t) => {
  const { run, file, names } = place(t, {
    "scout.md": agentOf("scout").definition,
    "bard.md": agentOf("bard").definition,
  });
  const [, last] = await run(["scout", "bard"], ["Remove"], () => writeFileSync(file("scout"), "changed\n"));
  assert.equal(last, `Changed since, so it stays: ${file("scout")}`);
  assert.deepEqual([names(), readFileSync(file("scout"), "utf8")], [["scout.md"], "changed\n"]);
});

test("does not offer Remove if nothing of purser's is there", async (t) => {
  const { run, names } = place(t, { "smith.md": "mine\n" });
  assert.deepEqual(await run(["smith"]), [
    "A file of your own is called smith.md: it stays as it is. Nothing was written.",
  ]);
  assert.deepEqual(names(), ["smith.md"]);
});

test("undoes an installation, and keeps the earlier files", async (t) => {
  const { run, names, file } = place(t, { "bard.md": agentOf("bard").definition });
  assert.deepEqual(await run(["scout"]), ["Install Agents: scout | Install"]);
  assert.equal(existsSync(file("scout")), false, "shown, and not agreed to");
  const undone = await run(["scout", "bard"], ["Install", "Undo"]);
  assert.deepEqual(undone.slice(1), ["One agent installed. | Undo", "They are gone again."]);
  assert.deepEqual(names(), ["bard.md"]);
});
