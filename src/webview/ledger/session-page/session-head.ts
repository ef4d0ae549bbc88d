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
  const { share, forecast, nextCall, advice } = now;
  const figures = [
    ...(share === null ? [] : [percent(share)]),
    ...(forecast === null ? [] : [forecast]),
    ...(nextCall === null ? [] : [t("next call {0}", about(dollars(nextCall)))]),
    t("{0} so far", describeCost(session)),
  ];
  return html`<p class="one now ${advice.toLowerCase()}">
      <span class="number">${figures.join(" · ")}</span>
    </p>
    ${cacheLine(now, at)} ${turnsLine(now)}`;
}

/** What the next call costs once the cache has expired, and when that is. */
function cacheLine({ nextCall, coldCall, cacheExpiresAt }: Now, at: number): TemplateResult | typeof nothing {
  if (coldCall === null || cacheExpiresAt === null) return nothing;
  const price = about(dollars(coldCall));
  if (cacheExpiresAt <= at)
    return html`<p class="quiet">${t("The cache has expired: the next call writes the whole context again.")}</p>`;
  if (nextCall !== null && coldCall <= nextCall) return nothing;
  return html`<p class="quiet">
    ${t("After {0}, when the cache expires, the next call costs {1}.", moment(cacheExpiresAt, at), price)}
  </p>`;
}

function turnsLine({ here, fresh }: Now): TemplateResult | typeof nothing {
  if (here === null) return nothing;
  const [go, anew] = [about(dollars(here)), fresh === null ? null : about(dollars(fresh))];
  return html`<p class="quiet">
    ${
      anew === null
        ? t("10 more turns cost {0} here.", go)
        : t("10 more turns cost {0} here, or {1} in a new session with a handover.", go, anew)
    }
  </p>`;
}
