import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it, type TestContext } from "node:test";
import { installTranslation } from "../../../src/engine/base/text/l10n.ts";
import { readTranslation } from "../../../src/engine/cli/language.ts";
import { Scratch } from "./support/support.ts";

const translation = readTranslation(path.resolve(import.meta.dirname, "../../../l10n"), ["de"]);
if (translation !== undefined) installTranslation(translation);

function userOf(t: TestContext): Scratch {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  return scratch;
}

it("a German user reads guard rules in German, and a program reads them in English", async (t) => {
  const scratch = userOf(t);
  const { stdout } = await scratch.purser(["guard", "explain", "delete-home"]);
  assert.match(stdout, /^Löscht ein ganzes Home-Verzeichnis\.$/mu);
  assert.match(
    (await scratch.purser(["guard", "explain", "same-failure"])).stdout,
    /`npm test` schlägt dreimal mit demselben Fehler fehl/u,
  );
  assert.match(
    (await scratch.purser(["guard", "list"])).stdout,
    /^ping-forever +waste +advise +Endet nie von selbst\.$/mu,
  );
  const json = (await scratch.purser(["guard", "explain", "delete-home", "--json"])).stdout;
  assert.match(json, /"message": "This deletes a whole home folder/u);
});

it("guard and doctor print faults of rules files in German", async (t) => {
  const scratch = userOf(t);
  const file = path.join(scratch.root, ".purser", "guard.yaml");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "set:\n  no-such-rule: off\n");
  assert.match(
    (await scratch.purser(["guard", "status"])).stdout,
    /^ +Zeile 2: die Regel no-such-rule gibt es nicht;/mu,
  );
  assert.match(
    (await scratch.purser(["doctor"])).stdout,
    /guard\.yaml: Zeile 2: die Regel no-such-rule gibt es nicht;/u,
  );
});

it("reports in German that a settings file cannot be changed", async (t) => {
  const scratch = userOf(t);
  writeFileSync(path.join(scratch.root, "settings.json"), "[]");
  assert.match(
    (await scratch.purser(["hooks", "install", "--yes"])).stderr,
    /settings\.json: sie enthält kein Objekt; beheben Sie das zuerst; nichts wurde geändert$/mu,
  );
});
