import { assert } from "../../support/assert-texts.ts";
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { withOwnSettings } from "../../../../src/engine/hooks/own-settings.ts";
import { guardJson, guardTestJson } from "../../../../src/engine/cli/guard/guard-schema.ts";
import { guardFamilies, guardModes } from "../../../../src/engine/settings/guard.ts";
import { Scratch } from "../support/support.ts";

function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const settings = path.join(scratch.root, ".purser", "settings.json");
  return { scratch, settings, purser: (...argv: string[]) => scratch.purser(["guard", ...argv]) };
}

test("judges one command per line, from a file or the standard input, and runs none", async (t) => {
  const { scratch, purser } = place(t);
  const file = path.join(scratch.root, "commands.txt");
  const made = path.join(scratch.root, "made");
  writeFileSync(file, `git status\n\nrm -rf ~\ntouch ${made}; rm -rf /opt/app/data\n`);
  const printed = await purser("test", "--file", file, "--cwd", scratch.root, "--json");
  assert.deepEqual([printed.code, printed.stderr], [0, ""]);
  const lines = printed.stdout
    .trimEnd()
    .split("\n")
    .map((line) => guardTestJson.parse(JSON.parse(line)));
  assert.deepEqual(
    lines.map(({ action, rules }) => [action, ...rules]),
    [["none"], ["ask", "delete-home"], ["advise", "delete-outside-project"]],
  );
  assert.throws(() => readFileSync(made), { code: "ENOENT" });
  const stdin = () => Readable.from(["sudo rm -rf /\n"]);
  const typed = await scratch.purser(["guard", "test"], { stdin });
  assert.equal(typed.stdout, "ask    sudo rm -rf /  delete-root\n");
});

test("a script that a command runs is judged with it, as for an agent", async (t) => {
  const { scratch } = place(t);
  mkdirSync(path.join(scratch.root, "shop", ".git"), { recursive: true });
  writeFileSync(path.join(scratch.root, "shop", "clean.sh"), "#!/bin/sh\nrm -rf ~\n");
  writeFileSync(path.join(scratch.root, "shop", "build.sh"), "#!/bin/sh\nmkdir -p out\n");
  const stdin = () => Readable.from(["bash clean.sh\nbash build.sh\nbash gone.sh\n"]);
  const { stdout } = await scratch.purser(["guard", "test", "--cwd", "shop"], { stdin });
  assert.equal(stdout, "ask    bash clean.sh  delete-home\nnone   bash build.sh\nnone   bash gone.sh\n");
});

test("applies a project's rules once its folder is trusted; status lists its files with faults and remedy", async (t) => {
  const { scratch, purser } = place(t);
  const shop = path.join(scratch.root, "shop");
  mkdirSync(path.join(shop, ".git"), { recursive: true });
  mkdirSync(path.join(shop, ".purser"));
  mkdirSync(path.join(shop, ".claude"));
  const file = path.join(shop, ".purser", "guard.yaml");
  writeFileSync(file, "rules: [{ id: no-ship, match: [{ program: make }], message: M. }]\n");
  writeFileSync(
    path.join(shop, ".claude", "hookify.curl.local.md"),
    "---\nevent: bash\npattern: curl\naction: block\n---\nM.\n",
  );
  const typed = (text: string) => async () => {
    const stdin = () => Readable.from([`${text}\n`]);
    return (await scratch.purser(["guard", "test", "--cwd", "shop"], { stdin })).stdout;
  };
  assert.equal(await typed("make x")(), "none   make x\n");
  const here = { cwd: shop };
  const before = await scratch.purser(["guard", "status"], here);
  assert.match(before.stdout, /guard\.yaml \(not used: its folder is not trusted \(purser guard trust\)\)/u);
  assert.equal((await purser("trust", "shop")).code, 0);
  assert.equal(await typed("make x")(), "ask    make x  no-ship\n");
  assert.equal(await typed("curl x")(), "deny   curl x  hookify-curl\n");
  writeFileSync(file, "set:\n  delete-home: off\n");
  const after = await scratch.purser(["guard", "status"], here);
  assert.equal(after.stderr, "");
  assert.match(after.stdout, /guard\.yaml \(has errors.*\n +line 2: a project cannot turn delete-home off/u);
  assert.match(after.stdout, /hookify\.curl\.local\.md imported: hookify-curl\n/u);
  const { files } = guardJson.parse(
    JSON.parse((await scratch.purser(["guard", "status", "--json"], here)).stdout),
  );
  assert.deepEqual(
    files?.map(({ kind, state }) => `${kind} ${state}`),
    ["project faulty", "hookify read"],
  );
  assert.equal((await scratch.purser(["guard", "untrust"], here)).code, 0);
  assert.equal(await typed("curl x")(), "none   curl x\n");
  assert.equal((await purser("trust")).code, 2);
  assert.equal((await purser("trust", "no-such")).code, 2);
});

test("a missing file and missing input are reported with a remedy", async (t) => {
  const { purser } = place(t);
  const missing = await purser("test", "--file", "no-such.txt");
  assert.deepEqual([missing.code, missing.stdout], [1, ""]);
  assert.match(missing.stderr, /^purser guard: no-such\.txt cannot be read \(ENOENT\)\n$/u);
  assert.match(
    (await purser("test")).stderr,
    /no commands given; use --file FILE, or standard input with one command per line/u,
  );
});

test("rules are listed, by family too, and one is explained with its examples", async (t) => {
  const { purser } = place(t);
  const all = guardJson.parse(JSON.parse((await purser("list", "--json")).stdout)).rules ?? [];
  const safety =
    guardJson.parse(JSON.parse((await purser("list", "--family", "safety", "--json")).stdout)).rules ?? [];
  assert.ok(safety.length > 0 && safety.length < all.length);
  assert.ok(safety.every(({ family }) => family === "safety"));
  assert.match((await purser("list")).stdout, /delete-root +safety +ask +This deletes everything/u);
  const { stdout } = await purser("explain", "delete-root");
  assert.match(stdout, /delete-root \(safety\) asks you first/u);
  assert.match(stdout, /Fires on\n {2}rm -rf \/\n/u);
  assert.match((await purser("explain", "no-such")).stderr, /there is no rule "no-such"; purser guard list/u);
  const wrong = await purser("list", "--family", "x");
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
});

test("prints the texts of a user's rule as clean lines", async (t) => {
  const { scratch, purser } = place(t);
  const message = "Ships it.\n\u001b[2J\u202eNot now.";
  mkdirSync(path.join(scratch.root, ".purser"), { mode: 0o700 });
  writeFileSync(
    path.join(scratch.root, ".purser", "guard.yaml"),
    JSON.stringify({
      rules: [
        {
          id: "no-ship",
          match: [{ program: "ship" }],
          message,
          fires: ["ship \u200b\u001b]0;x\u0007it\nship"],
        },
      ],
    }),
  );
  assert.match((await purser("list")).stdout, /^no-ship +safety +ask +Ships it\. Not now\.$/mu);
  const explained = (await purser("explain", "no-ship")).stdout;
  assert.match(explained, /^Ships it\. Not now\.$/mu);
  assert.match(explained, /^ {2}ship it\n {4}ship$/mu);
  const { rules } = guardJson.parse(JSON.parse((await purser("explain", "no-ship", "--json")).stdout));
  assert.equal(rules?.[0]?.message, "Ships it. Not now.");
});

test("writes the mode of all rules or one family into settings.json; status shows it", async (t) => {
  const { purser, settings } = place(t);
  assert.match((await purser("status")).stdout, /safety +observe .*No rule has fired in this time/su);
  assert.equal((await purser("on", "--family", "safety")).code, 0);
  const off = await purser("off");
  assert.equal(off.code, 0);
  assert.match(
    off.stdout,
    /\nsafety keeps its own mode, on: purser guard off --family safety changes it\.\n$/u,
  );
  assert.deepEqual(JSON.parse(readFileSync(settings, "utf8")), {
    guardFamilies: { safety: "on" },
    guardMode: "off",
  });
  const { modes } = guardJson.parse(JSON.parse((await purser("status", "--json")).stdout));
  assert.deepEqual(
    modes?.map(({ mode }) => mode),
    guardFamilies.map((family) => (family === "safety" ? "on" : "off")),
  );
});

test("leaves unreadable settings unchanged", async (t) => {
  const { purser, settings } = place(t);
  mkdirSync(path.dirname(settings), { recursive: true, mode: 0o700 });
  writeFileSync(settings, "{ oh");
  const { code, stderr } = await purser("on");
  assert.equal(code, 1);
  assert.match(stderr, /settings\.json: line 1 is not JSON; fix it and try again/u);
  assert.equal(readFileSync(settings, "utf8"), "{ oh");
});

test("keeps settings that are a link, and reports one that leads nowhere", async (t) => {
  if (process.platform === "win32") return;
  const { scratch, purser, settings } = place(t);
  mkdirSync(path.dirname(settings), { recursive: true, mode: 0o700 });
  const real = path.join(scratch.root, "dotfiles.json");
  writeFileSync(real, "{}\n");
  symlinkSync(real, settings);
  assert.equal((await purser("on")).code, 0);
  assert.ok(lstatSync(settings).isSymbolicLink());
  assert.deepEqual(JSON.parse(readFileSync(real, "utf8")), { guardMode: "on" });
  rmSync(settings);
  symlinkSync(settings, settings);
  const { code, stderr } = await purser("off");
  assert.equal(code, 1);
  assert.match(stderr, /settings\.json cannot be read \(ELOOP\)/u);
});

test("a mode changes nothing else in any settings", () => {
  const other = fc.dictionary(fc.constantFrom("wrapUpAt", "guardMode", "guardFamilies", "x"), fc.jsonValue());
  fc.assert(
    fc.property(
      other,
      fc.constantFrom(...guardModes),
      fc.option(fc.constantFrom(...guardFamilies)),
      (settings, mode, family) => {
        const text = `// mine\n${JSON.stringify(settings, null, 2)}\n`;
        const place = family === null ? (["guardMode"] as const) : (["guardFamilies", family] as const);
        const changed = withOwnSettings(text, [{ place, value: mode }]);
        assert.ok(changed.ok && changed.value.startsWith("// mine\n"));
        const read: unknown = JSON.parse(changed.value.slice("// mine\n".length));
        const before = settings["guardFamilies"];
        const own = typeof before === "object" && before !== null && !Array.isArray(before) ? before : {};
        const expected =
          family === null
            ? { ...settings, guardMode: mode }
            : { ...settings, guardFamilies: { ...own, [family]: mode } };
        assert.deepEqual(read, JSON.parse(JSON.stringify(expected)));
      },
    ),
  );
});

test("requires families that protect, and refuses one that only advises", async (t) => {
  const { settings, purser } = place(t);
  const modes = (printed: { readonly stdout: string }) =>
    guardJson
      .parse(JSON.parse(printed.stdout))
      .modes?.filter(({ mode }) => mode !== "observe")
      .map(({ family, mode }) => [family, mode]);
  assert.deepEqual(modes(await purser("require", "--family", "secrets", "--json")), [
    ["secrets", "required"],
  ]);
  const refused = await purser("require", "--family", "waste");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /waste only advises agents.*safety, secrets, protect can/u);
  assert.deepEqual(JSON.parse(readFileSync(settings, "utf8")), { guardFamilies: { secrets: "required" } });
  const all = ["safety", "secrets", "protect"];
  assert.deepEqual(
    modes(await purser("require", "--json")),
    all.map((family) => [family, "required"]),
  );
  const lowered = modes(await purser("on", "--family", "safety", "--json"));
  assert.deepEqual(
    lowered?.find(([family]) => family === "safety"),
    ["safety", "on"],
  );
});

test("a required family rewrites installed hooks at once, and restores them when it is only on again", async (t) => {
  const { scratch, purser } = place(t);
  const installed = await scratch.purser(["hooks", "install", "--agent", "claude", "--anyway", "--yes"]);
  assert.equal(installed.code, 0, installed.stderr);
  const file = path.join(scratch.root, "settings.json");
  const before = readFileSync(file, "utf8");
  const required = await purser("require", "--family", "safety");
  assert.match(required.stdout, /\nClaude Code, .*settings\.json: hooks written again\n$/u);
  assert.match(readFileSync(file, "utf8"), /"onFailure": "block"/u);
  await purser("on", "--family", "safety");
  assert.equal(readFileSync(file, "utf8"), before);
});
