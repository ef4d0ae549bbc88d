/**
 * `npm run generate -- pictures`: takes the pictures of panels that the README and the guide show. A program such as pngquant then halves
 * their size.
 */
import path from "node:path";
import { firstState as guardState } from "../../src/webview/guard/guard-protocol.ts";
import { firstState as ledgerState } from "../../src/webview/ledger/ledger-protocol.ts";
import { repository } from "../host/repository.ts";
import { makeComparison } from "./experiments/compare/fixtures.ts";
import { experimentsPanel, replyAsHost, stateOf } from "./experiments/open-panel.ts";
import { makeView, rulesMessage, viewMessage } from "./guard/fixtures.ts";
import { guardPanel } from "./guard/open-panel.ts";
import { makeOverview, overviewMessage } from "./ledger/fixtures.ts";
import { ledgerPanel, PanelPage, type PanelKind } from "./panel-page.ts";

async function take<Message extends { readonly type: string }>(
  name: string,
  kind: PanelKind<Message>,
  height: number,
  {
    state,
    reply = () => [],
    messages = [],
  }: { state: unknown; reply?: (message: Message) => unknown; messages?: readonly unknown[] },
): Promise<void> {
  const panel = await PanelPage.start(kind);
  const page = await panel.open({ theme: "Dark Modern", size: { width: 1100, height }, state, reply });
  for (const message of messages) await panel.postToPanel(message);
  await page.locator("main[aria-busy=false] h2").first().waitFor();
  await page.screenshot({ path: path.join(repository, "media", `${name}.png`) });
  await panel.close();
}

await take("ledger", ledgerPanel, 880, { state: ledgerState, messages: [overviewMessage(makeOverview(30))] });
await take("guard", guardPanel, 672, {
  state: guardState,
  messages: [
    viewMessage(makeView({ modes: { all: "on", families: { waste: "off", loops: "observe" } } })),
    rulesMessage(),
  ],
});
await take("compare", experimentsPanel, 620, {
  state: stateOf({ kind: "job", id: "c1" }),
  reply: replyAsHost({ view: makeComparison() }),
});
