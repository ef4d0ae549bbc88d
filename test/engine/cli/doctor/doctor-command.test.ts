import { assert } from "../../support/assert-texts.ts";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Finding } from "../../../../src/engine/cli/doctor/doctor-schema.ts";
import { Doctor, few, isPosix, program, idsOf, usual } from "./examined-home.ts";

test("without agents, service and ledger nothing is wrong, and what is missing is noted", async (t) => {
  const doctor = new Doctor(t);
  doctor.said = {};
  rmSync(doctor.home.folder, { recursive: true });
  const findings = await doctor.findings();
  assert.deepEqual(idsOf(findings, "problem"), []);
  assert.deepEqual(idsOf(findings, "note"), ["state-folder", "service", "ledger"]);
  const { stdout, code } = await doctor.purser(["doctor"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^No problems, 3 notes\n\nNotes\n {2}.*does not exist yet.*\n {4}purser service start\n/u,
  );
  assert.match(stdout, /\nFine\n {2}.*Settings are valid/u);
  assert.equal((await doctor.purser(["doctor", "--what"])).code, 2);
  assert.match((await doctor.purser(["doctor", "--help"])).stdout, /Exit codes: 0/u);
});

test("a folder that cannot be made or written is a problem with its remedy", async (t) => {
  const doctor = new Doctor(t);
  const file = path.join(doctor.box.folder, "file");
  writeFileSync(file, "");
  // Root may write into folders without permissions, but not below a file or in the kernel's own file system.
  const places = [path.join(file, "purser"), ...(process.platform === "linux" ? ["/proc/purser"] : [])];
  for (const folder of places) {
    const { stdout, code } = await doctor.purser(["doctor"], {
      env: { ...doctor.box.env, PURSER_HOME: folder },
    });
    assert.equal(code, 1, folder);
    assert.match(stdout, /cannot be (?:written|accessed): E\w+\n.*set PURSER_HOME to a folder of yours/u);
  }
  assert.deepEqual(
    readdirSync(doctor.home.folder).filter((name) => name.includes("probe")),
    [],
  );
});

test("a call played through each installed line is answered by the service, and recorded nowhere", async (t) => {
  const doctor = new Doctor(t);
  writeFileSync(doctor.home.settings, `{"hookPosting": "always"}`);
  await doctor.serve();
  for (const agent of ["claude", "codex", "copilot", "gemini"]) await doctor.install(agent);
  await doctor.install("claude", "--scope", "project");
  const findings = await doctor.findings();
  const live = findings.filter(({ id }) => id === "hooks-live");
  // Claude Code's are posted, and commands where they may not be. Commands of user settings use curl, and Node at a session's start.
  assert.equal(live.length, isPosix ? 10 : 6, JSON.stringify(live, null, 1));
  for (const { level, what } of live) {
    assert.equal(level, "ok");
    assert.match(
      what.text,
      /^A test call (?:through its hook command|posted like its hooks) was answered by the service in \d+ ms\./u,
    );
  }
  assert.deepEqual(idsOf(findings, "problem"), ["hooks-untrusted"]);
  assert.equal(existsSync(doctor.home.spool) && readdirSync(doctor.home.spool).length > 0, false);
  assert.doesNotMatch(doctor.box.log(), /purser-probe/u);
});

test("reports a working hook without a service, and starts none", async (t) => {
  const doctor = new Doctor(t);
  await doctor.install("claude");
  const findings = await doctor.findings();
  assert.deepEqual(idsOf(findings, "problem"), []);
  const live = findings.find(({ id }) => id === "hooks-live");
  assert.deepEqual(
    [live?.level, live?.what],
    ["note", "The test call ran the hook; no service is running to answer it."],
  );
  assert.equal(existsSync(doctor.home.record), false);
});

const claudeFile = (doctor: Doctor) => path.join(doctor.box.root, "settings.json");
/** Names the program that the hooks run. */
const programFile = (doctor: Doctor) =>
  isPosix ? path.join(doctor.home.folder, "hook.sh") : claudeFile(doctor);
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, "utf8")));

interface Broken {
  readonly what: string;
  readonly break: (doctor: Doctor) => void | Promise<void>;
  readonly finds: readonly [Finding["level"], string, remedy: RegExp];
  readonly isPosix?: boolean;
}

/** Faults in a home with a running service. */
const broken: readonly Broken[] = [
  {
    what: "an open folder",
    break: ({ home }) => chmodSync(home.folder, 0o755),
    finds: ["problem", "state-folder", /chmod 700/u],
    isPosix: true,
  },
  {
    what: "a rule that is none",
    break: ({ home }) => writeFileSync(home.guardRules, "set:\n  no-such-rule: maybe\n"),
    finds: ["problem", "guard-rules", /Fix the line/u],
  },
  {
    what: "a project's rules without trust",
    break: ({ project }) => {
      mkdirSync(path.join(project, ".purser"));
      writeFileSync(path.join(project, ".purser", "guard.yaml"), "set: {}\n");
    },
    finds: ["note", "guard-untrusted", /purser guard trust/u],
  },
  {
    what: "an agent without hooks",
    break: (doctor) => void (doctor.said = { ...doctor.said, gemini: "0.61.0\n" }),
    finds: ["note", "hooks-absent", /purser hooks install --agent gemini/u],
  },
  {
    what: "an older agent",
    break: (doctor) => void (doctor.said = { ...doctor.said, claude: "2.1.100 (Claude Code)\n" }),
    finds: ["note", "agent-old", /Update Claude Code/u],
  },
  {
    what: "an agent that is gone",
    break: (doctor) => void (doctor.said = { node: usual.node }),
    finds: ["note", "agent-missing", /purser hooks uninstall/u],
  },
  {
    what: "Node that is gone",
    break: (doctor) => void (doctor.said = { claude: usual.claude }),
    finds: ["problem", "node", /Install Node/u],
  },
  {
    what: "hooks switched off",
    break: (doctor) => edit(claudeFile(doctor), (text) => text.replace("{", `{"disableAllHooks": true,`)),
    finds: ["problem", "hooks-off", /Change that setting/u],
  },
  {
    what: "a file that its agent does not read",
    break: (doctor) => edit(claudeFile(doctor), (text) => text.replace("{", "{ // mine\n")),
    finds: ["problem", "hooks-unread", /comments out/u],
  },
  {
    what: "a file that is no JSON",
    break: (doctor) => writeFileSync(claudeFile(doctor), "{ nothing"),
    finds: ["problem", "hooks-file", /fix it first/u],
  },
  {
    what: "an event that is gone",
    break: (doctor) => edit(claudeFile(doctor), (text) => text.replace('"PreCompact"', '"PreCompactNot"')),
    finds: ["note", "hooks-outdated", /purser hooks install --agent claude/u],
  },
  {
    what: "a program that is gone",
    break: (doctor) => edit(programFile(doctor), (text) => text.replaceAll("hook-shim.ts", "gone-shim.ts")),
    finds: ["problem", "hooks-broken", /purser hooks repair/u],
  },
  {
    what: "a line that fails",
    break: (doctor) => edit(claudeFile(doctor), (text) => text.replace(`"[ -r`, `"exit 3; [ -r`)),
    finds: ["problem", "hooks-live", /purser hooks (?:repair|install)/u],
    isPosix: true,
  },
  {
    what: "a hook of another program",
    break: (doctor) =>
      edit(claudeFile(doctor), (text) =>
        text.replace(
          `"PostToolUse": [`,
          `"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]},`,
        ),
      ),
    finds: ["note", "rival-hooks", /guardOutputsBesideHooks/u],
  },
];

/** Faults that only appear without a service: it would log them, or it is itself the fault. */
const brokenAlone: readonly Broken[] = [
  {
    what: "thresholds in the wrong order",
    break: ({ home }) => writeFileSync(home.settings, '{ "wrapUpAt": 20, "endTurnAt": 40 }'),
    finds: ["problem", "settings", /Fix it/u],
  },
  {
    what: "a share that was taken for a percentage",
    break: ({ home }) => writeFileSync(home.settings, '{ "endTurnAt": 0.4 }'),
    finds: ["problem", "settings", /Fix it/u],
  },
  {
    what: "a model with an answer larger than its window",
    break: ({ home }) =>
      writeFileSync(home.settings, '{ "models": { "my-model": { "window": 1000, "maxOutput": 2000 } } }'),
    finds: ["problem", "settings", /Fix it/u],
  },
  {
    what: "settings that are no JSON",
    break: ({ home }) => writeFileSync(home.settings, "{\n oops"),
    finds: ["problem", "settings", /Fix it/u],
  },
  {
    what: "a service of another version",
    break: async ({ box }) => {
      await box.client("9.9.9");
    },
    finds: ["problem", "service", /purser service restart/u],
  },
  {
    what: "a service's log with an error",
    break: ({ home }) => writeFileSync(home.log, `${new Date().toISOString()} error Lost \u001b[31mit\n`),
    finds: ["note", "service-log", /purser service logs/u],
  },
  {
    what: "a file in the place of the journal",
    break: ({ home }) => writeFileSync(path.join(home.folder, "journal"), ""),
    finds: ["problem", "state-folder", /Move it away/u],
  },
  {
    what: "a link to a folder that is gone",
    break: ({ home }) => {
      rmSync(home.folder, { recursive: true });
      symlinkSync(path.join(home.folder, "..", "gone", "deep"), home.folder);
    },
    finds: ["problem", "state-folder", /Create that folder/u],
    isPosix: true,
  },
  {
    what: "a ledger that is none",
    break: ({ home }) => writeFileSync(path.join(home.folder, "ledger.sqlite"), "not a database at all"),
    finds: ["problem", "ledger", /purser service restart/u],
  },
];

/** Installs hooks in a home without faults, and returns the ids of the findings. */
async function usualFindings(doctor: Doctor, isServed: boolean): Promise<readonly string[]> {
  doctor.said = few;
  writeFileSync(doctor.home.settings, `{"hookPosting": "never"}`);
  if (isServed) await doctor.serve();
  await doctor.install("claude");
  return idsOf(await doctor.findings(), "problem", "note");
}

async function assertReported(doctor: Doctor, usualIds: readonly string[], each: Broken): Promise<void> {
  await each.break(doctor);
  const findings = await doctor.findings();
  const [level, id, remedy] = each.finds;
  const found = findings.filter((finding) => finding.id === id && finding.level === level);
  assert.equal(found.length, 1, JSON.stringify(findings, null, 1));
  assert.match(found[0]?.remedy?.text ?? "", remedy);
  assert.doesNotMatch(found[0]?.what.text ?? "", /\u001b/u);
  // The hook of a broken program may have a finding too. Nothing else may.
  const others = idsOf(findings, "problem", "note").filter((each) => each !== id && !usualIds.includes(each));
  assert.deepEqual(others, []);
}

test("reports a fault with its remedy", async (t) => {
  const doctor = new Doctor(t);
  const usualIds = await usualFindings(doctor, true);
  const mend = doctor.keep();
  for (const each of broken)
    await t.test(each.what, { skip: each.isPosix === true && !isPosix }, async () => {
      try {
        await assertReported(doctor, usualIds, each);
      } finally {
        doctor.said = few;
        mend();
      }
    });
  const after = idsOf(await doctor.findings(), "problem", "note");
  assert.deepEqual(
    after.filter((id) => !usualIds.includes(id)),
    [],
  );
});

for (const each of brokenAlone)
  test(`${each.what} is reported with its remedy`, async (t) => {
    const doctor = new Doctor(t);
    await assertReported(doctor, await usualFindings(doctor, false), each);
  });

test(
  "a line that another person may have written into a project is not run",
  { skip: !isPosix },
  async (t) => {
    const doctor = new Doctor(t);
    await doctor.serve();
    await doctor.install("codex", "--scope", "project");
    const file = path.join(doctor.project, ".codex", "hooks.json");
    const made = path.join(doctor.box.folder, "made");
    edit(file, (text) => text.replaceAll(`"node -e`, `"touch ${made}; node -e`));
    const findings = await doctor.findings();
    assert.equal(existsSync(made), false);
    const live = findings.find(({ id }) => id === "hooks-live");
    assert.match(live?.what.text ?? "", /others may have changed the file/u);
    const stranger = path.join(doctor.project, "hook.cjs");
    cpSync(program, stranger);
    edit(file, (text) => text.replaceAll(path.join(doctor.home.folder, "hook.cjs"), stranger));
    assert.doesNotMatch(JSON.stringify(await doctor.findings()), /A call played/u);
    assert.equal(existsSync(made), false);
  },
);
