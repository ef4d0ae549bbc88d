/**
 * `npm run bench -- panel [--responses N]`: measures how soon the Ledger panel shows the overview of a ledger of 100,000
 * responses, and the page of a session of 500. Times run from the start of the page's load to the frame with its charts and
 * tables, and from the answer's arrival to that frame. The answers come from a real ledger beforehand, so only the panel is
 * measured. The frames are a real Chromium's, without a graphics card.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { openLedger } from "../../src/engine/ledger/store/open.ts";
import { builtInCatalogue } from "../../src/engine/usage/catalogue/catalogue.ts";
import { localDays } from "../../src/engine/usage/local-day.ts";
import { firstState, type HostMessage } from "../../src/webview/ledger/ledger-protocol.ts";
import { ledgerPorts } from "../engine/ledger/support/support.ts";
import { fresh } from "../webview/ledger/fixtures.ts";
import { ledgerPanel, PanelPage } from "../webview/panel-page.ts";
import { busyId, busySession, sessionLength } from "./ledger/busy-session.ts";
import { quantileOf } from "./quantile.ts";

/** A session of which nothing more than its page is known. */
const unknownWork = {
  scorecard: null,
  handedTo: null,
  cameFrom: null,
  canHandOver: true,
  isEnding: false,
  now: null,
  room: null,
};

const rounds = 15;
/** Milliseconds. */
const goal = 200;

const { values } = parseArgs({ options: { responses: { type: "string", default: "100000" } } });
const responses = Number(values.responses);
if (!(responses >= sessionLength)) {
  console.error(`--responses ${values.responses}: ${sessionLength} or more are needed.`);
  process.exit(2);
}

const question = { ...firstState.question, range: { kind: "all" } as const };
const id = busyId(0);
const { overview, page } = await answers();
const overviewState = { ...firstState, question };
console.log(
  `${cpus().length} cores, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`,
);
console.log(`${responses} responses: an overview of ${JSON.stringify(overview).length} bytes`);
await measure("overview", overviewState, overview);
await measure("session of 500", { ...overviewState, sessionId: id }, page);

async function measure(name: string, state: object, answer: HostMessage): Promise<void> {
  const [whole, own]: [number[], number[]] = [[], []];
  const panel = await PanelPage.start(ledgerPanel, { hasOwnTime: true });
  await panel.page.addInitScript(watch(answer));
  for (let round = 0; round < rounds; round += 1) {
    const page = await panel.open({ state });
    const [painted, answered] = z
      .tuple([z.number(), z.number()])
      .parse(await page.evaluate("window.purserSeen"));
    whole.push(painted);
    own.push(painted - answered);
  }
  await panel.close();
  const reported = (times: number[]) =>
    `median ${quantileOf(times, 0.5).toFixed(0)} ms, 90 % within ${quantileOf(times, 0.9).toFixed(0)} ms`;
  console.log(`${name}: painted ${reported(whole)} after the load began (goal ${goal} ms)`);
  console.log(`${name}: painted ${reported(own)} after the answer`);
}

/**
 * A script for the page that answers at once and records when, and when the first frame with a whole table was about to be
 * drawn.
 */
function watch(answer: HostMessage): string {
  return `
    window.purserAnswer = ${JSON.stringify(answer)};
    let answered;
    window.addEventListener("message", () => { answered ??= performance.now(); });
    window.purserSeen = new Promise((resolve) => {
      const look = () => {
        const panel = document.querySelector("purser-ledger");
        const table = panel?.shadowRoot?.querySelector("purser-table")?.shadowRoot?.querySelector("tbody tr");
        if (!table) requestAnimationFrame(look);
        else requestAnimationFrame(() => setTimeout(() => resolve([performance.now(), answered])));
      };
      requestAnimationFrame(look);
    });`;
}

async function answers(): Promise<{ overview: HostMessage; page: HostMessage }> {
  const folder = mkdtempSync(path.join(tmpdir(), "purser-bench-"));
  try {
    const opened = await openLedger({ ...ledgerPorts(), folder, snapshotAfter: Infinity });
    if (!opened.ok) throw new Error(opened.detail.text);
    const ledger = opened.value;
    for (let number = 0; number < responses / sessionLength; number += 1) {
      const done = await ledger.append(busySession(number));
      if (!done.ok) throw new Error(done.detail.text);
    }
    const basis = { catalogue: builtInCatalogue, dayOf: localDays() };
    const overview = ledger.ask(
      "overview",
      { since: null, until: null, project: null, program: null },
      basis,
    );
    const session = ledger.ask("sessionPage", id, basis);
    await ledger.close();
    return {
      overview: {
        type: "overview",
        question,
        since: null,
        until: null,
        overview,
        previous: null,
        freshness: fresh,
      },
      page: { type: "session", id, page: session, work: unknownWork, freshness: fresh },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
