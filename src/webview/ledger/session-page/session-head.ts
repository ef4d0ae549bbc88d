import { html, nothing, type TemplateResult } from "lit";
import { dollars, percent } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import { about, describeCost } from "../../components/figures.ts";
import { moment } from "../../components/times.ts";
import type { SessionPage } from "../../../engine/ledger/ledger-answers.ts";
import type { SessionWork } from "../ledger-protocol.ts";

type Now = NonNullable<SessionWork["now"]>;

/** The first line of a live session: how full, how many turns, the next call's price, the session's price. */
export function sessionHead(
  now: Now,
  { session, at }: { readonly session: SessionPage["session"]; readonly at: number },
): TemplateResult {
  const { share, forecast, nextCall } = now;
  const figures = [
    ...(share === null ? [] : [percent(share)]),
    ...(forecast === null ? [] : [forecast]),
    ...(nextCall === null ? [] : [t("next call {0}", about(dollars(nextCall)))]),
    t("{0} so far", describeCost(session)),
  ];
  const rest = [cacheSentence(now, at), turnsSentence(now)].filter((sentence) => sentence !== "").join(" ");
  return html`<p class="one now">
      <span class="number">${figures.join(" · ")}</span>
    </p>
    ${rest === "" ? nothing : html`<p class="quiet">${rest}</p>`}`;
}

/** What the next call costs once the cache has expired, and when that is. */
function cacheSentence({ nextCall, coldCall, cacheExpiresAt }: Now, at: number): string {
  if (coldCall === null || cacheExpiresAt === null) return "";
  if (cacheExpiresAt <= at) return t("The cache has expired: the next call writes the whole context again.");
  if (nextCall !== null && coldCall <= nextCall) return "";
  const [time, price] = [moment(cacheExpiresAt, at), about(dollars(coldCall))];
  return t("After {0}, when the cache expires, the next call costs {1}.", time, price);
}

function turnsSentence({ here, fresh }: Now): string {
  if (here === null) return "";
  const go = about(dollars(here));
  if (fresh === null) return t("10 more turns cost {0} here.", go);
  const anew = about(dollars(fresh));
  return t("10 more turns cost {0} here, or {1} in a new session with a handover.", go, anew);
}
