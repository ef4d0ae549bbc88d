import { assert } from "../../support/assert-texts.ts";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { LiveSnapshot } from "../../../../src/engine/sessions/live-snapshot.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import { until } from "../support/until.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { noticeEvent } from "../../service/support/notice-event.ts";
import { windowSettingsOf } from "../../service/support/window-settings.ts";

let count = 0;

/** A current response with that many tokens in its context. */
function row(tokens: number): string {
  count += 1;
  const usage = { input_tokens: tokens, output_tokens: 10, cache_read_input_tokens: 0 };
  return `${JSON.stringify({
    type: "assistant",
    message: { id: `m${count}`, model: "claude-sonnet-4-5", usage },
    requestId: `r${count}`,
    timestamp: new Date().toISOString(),
    cwd: "/argo",
  })}\n`;
}

function occupancyIn({ sessions }: LiveSnapshot): number | null | undefined {
  return sessions[0]?.occupancy.value;
}

async function follows(
  client: ServiceClient,
  box: ServiceSandbox,
  settings?: PartialSettings,
): Promise<(isWanted: (snapshot: LiveSnapshot) => boolean) => Promise<LiveSnapshot>> {
  const view = { roots: box.roots, env: {}, folders: [] };
  await client.ask(
    "configure",
    settings === undefined ? view : { ...view, settings: windowSettingsOf(settings) },
  );
  const snapshots: LiveSnapshot[] = [];
  client.on("snapshot", (snapshot) => snapshots.push(snapshot));
  assert.ok((await client.ask("subscribe", {})).ok);
  return async (isWanted) =>
    snapshots.find(isWanted) ?? (await until(noticeEvent(client, "snapshot"), isWanted));
}

describe("snapshots sent to clients", () => {
  it("are the same for two with equal views, now and after a change", async (t) => {
    const box = new ServiceSandbox(t);
    const file = box.transcript("s-1.jsonl", row(50_000));
    const clients = [await box.host(), await box.client()];
    const next = await Promise.all(clients.map((client) => follows(client, box)));
    const first = await Promise.all(next.map((wait) => wait((reported) => occupancyIn(reported) === 50_000)));
    assert.deepEqual(first[0], first[1]);
    appendFileSync(file, row(60_000));
    const second = await Promise.all(
      next.map((wait) => wait((reported) => occupancyIn(reported) === 60_000)),
    );
    assert.deepEqual(second[0], second[1]);
    const described = await clients[0]?.ask("describe", {});
    assert.ok(described?.ok);
    assert.deepEqual([described.value.views, described.value.sources, described.value.live], [1, 1, 1]);
  });

  it("use the user's settings for every client, whichever client sent them", async (t) => {
    const box = new ServiceSandbox(t);
    box.transcript("s-1.jsonl", row(90_000));
    const [terminal, window] = [await box.host(), await box.client()];
    const next = await follows(terminal, box);
    await next(({ sessions }) => sessions[0]?.advice === "CONTINUE");
    await follows(window, box, {
      wrapUpAt: 90,
      endTurnAt: 80,
      models: { "claude-sonnet-4-5": { window: 300_000 } },
    });
    const { sessions } = await next((reported) => reported.sessions[0]?.advice === "END_TURN");
    assert.deepEqual([sessions[0]?.percent, sessions[0]?.window.source], [30, "your setting"]);
    assert.deepEqual(sessions[0]?.thresholds, { wrapUpAt: 90, endTurnAt: 80 });
    const asked = await terminal.ask("status", {});
    assert.ok(asked.ok);
    assert.deepEqual(asked.value.sessions[0]?.advice, "END_TURN");
    const described = await terminal.ask("describe", {});
    assert.ok(described.ok);
    assert.deepEqual([described.value.views, described.value.sources], [1, 1]);
  });

  it("use the settings of the folder where a session began, the deepest that sets them", async (t) => {
    const box = new ServiceSandbox(t);
    box.transcript("s-1.jsonl", row(90_000));
    const client = await box.host();
    const next = await follows(client, box);
    const view = { roots: box.roots, env: {}, folders: ["/argo"] };
    const sendSettings = (folders: Readonly<Record<string, PartialSettings>>) =>
      client.ask("configure", {
        ...view,
        settings: windowSettingsOf({ wrapUpAt: 10, endTurnAt: 5 }, folders),
      });
    await sendSettings({ "/argo": { wrapUpAt: 60 }, "/other": { wrapUpAt: 90 } });
    const { sessions } = await next((reported) => reported.sessions[0]?.advice === "WRAP_UP");
    assert.deepEqual(sessions[0]?.thresholds, { wrapUpAt: 60, endTurnAt: 5 });
    assert.equal(sessions[0].folder, "/argo");
    const calm = until(
      noticeEvent(client, "snapshot"),
      (reported) => reported.sessions[0]?.advice === "CONTINUE",
    );
    await sendSettings({ "/argo": {} });
    await calm;
  });

  it("use settings.json if no window has sent any, also after a change of it", async (t) => {
    const box = new ServiceSandbox(t);
    box.transcript("s-1.jsonl", row(90_000));
    mkdirSync(box.home.folder, { recursive: true, mode: 0o700 });
    writeFileSync(box.home.settings, JSON.stringify({ wrapUpAt: 60 }));
    const client = await box.host();
    const next = await follows(client, box);
    await next(({ sessions }) => sessions[0]?.advice === "WRAP_UP");
    const broken = until(
      noticeEvent(client, "snapshot"),
      ({ settingProblems }) => settingProblems.length > 0,
    );
    writeFileSync(box.home.settings, JSON.stringify({ wrapUpAt: 61, endTurnAt: "no" }));
    const { problems, settingProblems, sessions } = await broken;
    assert.deepEqual(problems, []);
    assert.deepEqual(settingProblems, [
      { path: box.home.settings, reason: 'endTurnAt cannot be "no"; it is ignored' },
    ]);
    assert.equal(sessions[0]?.thresholds?.wrapUpAt, 61);
  });

  it("are read at the time of the request", async (t) => {
    const box = new ServiceSandbox(t);
    const file = box.transcript("s-1.jsonl", row(50_000));
    const client = await box.host();
    for (const tokens of [51_000, 52_000, 53_000]) {
      appendFileSync(file, row(tokens));
      const answer = await client.ask("status", {});
      assert.ok(answer.ok);
      assert.equal(occupancyIn(answer.value), tokens);
    }
  });

  it("end when a client unsubscribes", async (t) => {
    const box = new ServiceSandbox(t);
    const file = box.transcript("s-1.jsonl", row(50_000));
    const [client, other] = [await box.host(), await box.client()];
    const [next, others] = [await follows(client, box), await follows(other, box)];
    await next((reported) => occupancyIn(reported) === 50_000);
    await client.ask("unsubscribe", {});
    client.on("snapshot", () => assert.fail("still sent"));
    appendFileSync(file, row(60_000));
    await others((reported) => occupancyIn(reported) === 60_000);
  });

  it("can be cancelled", async (t) => {
    const box = new ServiceSandbox(t);
    const client = await box.host();
    const stop = new AbortController();
    stop.abort();
    const answer = await client.ask("status", {}, stop.signal);
    assert.ok(!answer.ok && answer.reason === "cancelled");
  });
});
