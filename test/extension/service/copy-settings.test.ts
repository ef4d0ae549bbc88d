import assert from "node:assert/strict";
import { test } from "node:test";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { fail, type Result } from "../../../src/engine/base/result.ts";
import { withOwnSettings, type OwnSetting } from "../../../src/engine/hooks/own-settings.ts";
import { copyMovedSettings } from "../../../src/extension/service/copy-settings.ts";

interface State {
  file: string;
  copied: readonly string[];
  readonly logged: string[];
  refuses: boolean;
}

/** An editor with these settings of its user, and a settings file. */
function world(user: Readonly<Record<string, unknown>>, file = "") {
  const state: State = { file, copied: [], logged: [], refuses: false };
  const write = (settings: readonly OwnSetting[]): Result<unknown> => {
    if (state.refuses) return fail("unwritable", plainSentence("the disk is full"));
    const changed = withOwnSettings(state.file, settings);
    if (changed.ok) state.file = changed.value;
    return changed;
  };
  const open = () =>
    copyMovedSettings({
      inspect: (name) => ({ globalValue: user[name] }),
      copied: state.copied,
      remember: (copied) => {
        state.copied = copied;
        return Promise.resolve();
      },
      write,
      log: (level, message) => void state.logged.push(`${level} ${message}`),
    });
  return { state, open };
}

test("copies a user's value once, and leaves everything else in the file as it is", async () => {
  const { state, open } = world(
    { "rules.askModel": true, "continuity.packetTokens": 900, "budgets.mode": "hard" },
    '// mine\n{\n  "wrapUpAt": 30,\n  "rulesAskModel": false\n}\n',
  );
  await open();
  assert.match(state.file, /^\/\/ mine\n\{\n {2}"wrapUpAt": 30,\n/u);
  assert.deepEqual(JSON.parse(state.file.slice("// mine\n".length)), {
    wrapUpAt: 30,
    rulesAskModel: true,
    continuityPacketTokens: 900,
  });
  assert.deepEqual(state.logged.toSorted(), [
    "info purser.continuity.packetTokens is no longer a setting of VS Code: its value was copied to continuityPacketTokens in settings.json.",
    "info purser.rules.askModel is no longer a setting of VS Code: its value was copied to rulesAskModel in settings.json.",
  ]);
  // What the user changes in the file afterwards stays.
  state.file = '{ "rulesAskModel": false }\n';
  await open();
  assert.equal(state.file, '{ "rulesAskModel": false }\n');
  assert.equal(state.logged.length, 2);
});

test("does nothing where nothing was set", async () => {
  const { state, open } = world({ "advice.wrapUpAt": 20 });
  await open();
  assert.deepEqual(state, { file: "", copied: [], logged: [], refuses: false });
});

test("reports a value that is not allowed, and tries again when the file could not be written", async () => {
  const { state, open } = world({ "hooks.warnEveryCalls": 0, "learn.enabled": false });
  state.refuses = true;
  await open();
  assert.deepEqual([state.file, state.copied], ["", []]);
  assert.match(
    state.logged.at(-1) ?? "",
    /^warn Settings were not copied to settings\.json: the disk is full$/u,
  );
  state.refuses = false;
  await open();
  assert.deepEqual(JSON.parse(state.file), { learn: false });
  assert.match(state.logged.join("\n"), /warn purser\.hooks\.warnEveryCalls was not copied .* cannot be 0/u);
});
