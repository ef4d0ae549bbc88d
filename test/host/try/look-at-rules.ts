/**
 * `npm run try -- rules [folder]`: takes pictures of the Rules panel in a real VS Code while the real Claude Code measures
 * eight rules against a stand-in model, and of a trial, in three themes and a narrow window.
 */
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { connectService, type ServiceClient } from "../../../src/engine/service/client.ts";
import { knownModel, knownRules, knownTasks } from "../../agents/bench/known-effects.ts";
import { writeGoldenSuite } from "../../agents/bench/workspace.ts";
import { runPurser } from "../../agents/hooks/purser.ts";
import { agentsCache, installClaude, newestClaude } from "../../agents/install.ts";
import { says, usageOf } from "../../agents/stand-in/reply.ts";
import { startStandIn } from "../../agents/stand-in/stand-in.ts";
import { openEditorWindow, statusId } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";

const folder = process.argv[2] ?? join(outFolder, "rules-in-editor");
const themes = ["Dark Modern", "Light Modern", "Dark High Contrast"];
const [wide, narrow] = [
  { width: 1280, height: 1000 },
  { width: 560, height: 1000 },
];
const runsOfRound = 2 * Object.keys(knownTasks).length;
const patience = 60_000; // ms for a round, on a loaded machine

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
if (!installed.ok) throw new Error(installed.detail.text);
const program = installed.value;
/** No request is answered once so many runs were made, so that what is on the screen stays. */
let most = 0;
const waiting: (() => void)[] = [];
const letRun = (count: number) => {
  most = count;
  for (const go of waiting.splice(0)) go();
};
const standIn = await startStandIn({
  tag: "look",
  lifeMs: 900_000,
  beforeReply: async () => {
    while (model.finished.size >= most) await new Promise<void>((resolve) => waiting.push(resolve));
  },
});
const model = knownModel({ seed: 1, round: () => Math.floor(model.finished.size / runsOfRound) + 1 });
standIn.setScript(model.script);
const editor = await openEditorWindow({ choice: "newest", size: wide, prepare });
try {
  const { workbench, scratch } = editor;
  await workbench.waitForStatus(statusId);
  const client = await connect(scratch);
  await approve(
    client,
    scratch,
    "backend",
    knownRules.map(({ text }) => text),
  );
  await approve(client, scratch, "main", [
    "Answer in one sentence where one is enough.",
    "Run only the tests of what you changed.",
  ]);
  await workbench.page.keyboard.press("Control+b");
  await workbench.runCommand("Purser: Review Rules");
  const page = workbench.page;
  const panel = page.frameLocator("iframe.webview").frameLocator("iframe");
  const option = (name: RegExp) => panel.getByRole("navigation").getByRole("option", { name });
  const back = panel.getByRole("button", { name: "Rules", exact: true });
  const look = async (name: string, scroll = 0) => {
    for (const theme of themes) {
      await workbench.setColorTheme(theme);
      for (const size of [wide, narrow]) {
        await page.setViewportSize(size);
        await page.mouse.move(size.width - 200, 400);
        if (scroll > 0) await page.mouse.wheel(0, scroll);
        await page.waitForTimeout(500);
        const short = `${name}-${theme.toLowerCase().replaceAll(" ", "-")}-${size.width}`;
        await workbench.screenshot(join(folder, `${short}.png`));
      }
      await page.setViewportSize(wide);
    }
    console.log(name);
  };
  const choose = async (name: RegExp) => {
    if (await back.isVisible()) await back.click();
    await option(name).click({ timeout: patience });
  };
  if ((await workbench.notifications()).length > 0) await workbench.clearNotifications();
  await choose(/^Try main/u);
  await panel.getByText("No trial has begun").waitFor({ timeout: patience });
  await page.waitForTimeout(1500);
  await look("trial-not-possible");
  await choose(/^Measure backend/u);
  await panel.getByRole("button", { name: /^Measure 8 Rules/u }).waitFor({ timeout: patience });
  await look("plan");
  await look("plan-below", 600);
  await panel.getByRole("button", { name: /^Measure 8 Rules/u }).click();
  await panel.getByText("Measured with the same runs").waitFor({ timeout: patience });
  await look("measuring-first-round");
  for (const rounds of [2, 8]) {
    letRun(rounds * runsOfRound + 1);
    await panel
      .getByText(new RegExp(`Round ${rounds}\\b|${rounds} rounds`, "u"))
      .first()
      .waitFor({ timeout: patience })
      .catch((error: unknown) => console.log(String(error)));
    await page.waitForTimeout(3000);
    await look(`measuring-${rounds}-rounds`);
  }
  letRun(9 * runsOfRound + 1);
  await page.waitForTimeout(12_000);
  await look("measuring-some-settled");
  await look("measuring-some-settled-below", 600);
  await panel.getByRole("button", { name: "Cancel" }).click();
  await page.waitForTimeout(3000);
  await look("cancelled");
  letRun(Infinity);
  await runPurser({ ...scratch, config: scratch.claude }, ["hooks", "install", "--yes"]);
  await choose(/^Try main/u);
  await page.waitForTimeout(1500);
  const again = panel.getByRole("button", { name: "Try Again" });
  if (await again.isVisible()) await again.click();
  await page.waitForTimeout(2000);
  await look("trial-planned");
  await panel.getByRole("button", { name: /^Start Trial/u }).click();
  await panel.getByRole("button", { name: /^Stop Trial/u }).waitFor({ timeout: patience });
  await look("trial-begun");
  standIn.setScript(() => says("Moored.", usageOf(1200, 100, 20_000, 10)));
  for (let session = 0; session < 6; session += 1) await work(scratch);
  await page.waitForTimeout(4000);
  await look("trial-running");
  await look("trial-running-below", 600);
  client.dispose();
} finally {
  await editor.close();
  await standIn.close();
}

async function prepare(scratch: Scratch): Promise<void> {
  await writeGoldenSuite(scratch.workspace, Object.keys(knownTasks));
  const bin = join(scratch.root, "bin");
  await mkdir(bin);
  await symlink(program, join(bin, "claude"));
  // The editor takes the PATH from a login shell.
  for (const file of [".profile", ".bashrc", ".bash_profile"])
    await writeFile(join(scratch.home, file), `export PATH="${bin}:$PATH"\n`);
  Object.assign(scratch.env, {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  });
}

/** Connects to the window's service once that runs. */
async function connect({ home }: Scratch): Promise<ServiceClient> {
  const end = Date.now() + patience;
  for (;;) {
    const found = await connectService({
      home: purserPaths({ env: { PURSER_HOME: join(home, ".purser") }, home }),
      machine: thisMachine(),
      clock: systemClock,
      version: "0.0.0",
      onProblem: (message) => console.log(message),
    });
    if (found.ok) return found.value;
    if (Date.now() > end) throw new Error(found.detail.text);
    await sleep(100);
  }
}

async function approve(
  client: ServiceClient,
  { claude }: Scratch,
  agent: string,
  texts: readonly string[],
): Promise<void> {
  const rules = texts.map((text) => ({ text, source: null }));
  const proposed = await client.ask("rulesPropose", { agent, origin: "hand", rules });
  if (!proposed.ok) throw new Error(proposed.detail.text);
  for (const { id, refused } of proposed.value.proposed) {
    if (id === null) throw new Error(refused?.text ?? "refused");
    const approved = await client.ask("rulesAct", { id, act: { kind: "approve" }, root: claude });
    if (!approved.ok) throw new Error(approved.detail.text);
  }
}

/** A session of a person's own. */
async function work({ env, workspace }: Scratch): Promise<void> {
  await promisify(execFile)(program, ["-p", "Moor the ship.", "--model", "claude-sonnet-4-6"], {
    cwd: workspace,
    env: { ...env, PATH: process.env["PATH"] },
    timeout: 60_000,
  });
}
