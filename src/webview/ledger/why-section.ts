import { html, nothing, type TemplateResult } from "lit";
import { aboutDollars, dollars, percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { Why, WhyClause, WhyProof } from "../../engine/ledger/why-answers.ts";
import { said } from "../components/outside.ts";
import "../components/section.ts";
import { filled } from "../components/sentences.ts";
import { link } from "../components/table/table-cells.ts";
import { shownWhy, type RenderContext } from "./ledger-model.ts";
import { notes } from "./describe-ledger.ts";
import { sessionName } from "./session-name.ts";

/** Characters. */
const [maxText, maxName] = [300, 40];
/** Maximum turns named per session. */
const maxTurns = 5;

/** Why what is shown cost what it did; nothing until that is known, and where no price is. */
export function whySection(context: RenderContext): TemplateResult | typeof nothing {
  const why = shownWhy(context.model);
  const usd = why?.usd ?? null;
  if (why === null || usd === null || why.calls === 0) return nothing;
  const { usual, clauses, rest, change, unpriced } = why;
  const isRestShown = rest.percent > 0 || clauses.length === 0;
  return html`<purser-section heading=${t("Why?")} note=${notes.why}
    ><div class="why">
      <ul>
        ${clauses.map((clause) => share(clause.percent, clause.text, proofs(context, why, clause)))}
        ${isRestShown ? share(rest.percent, rest.text, nothing) : nothing}
      </ul>
      <div class="change">
        ${
          change === null
            ? html`<p>${t("No single change would have saved much.")}</p>`
            : html`<p>
                  ${filled(
                    t("What would have saved most: {0} ({1})"),
                    said(change.text, maxText),
                    html`<span class="number" title=${t("Estimated, at list prices")}
                      >${aboutDollars(change.usd)}</span
                    >`,
                  )}
                </p>
                <p class="quiet">${said(change.basis, maxText)}</p>`
        }
      </div>
      <p class="quiet number">
        ${t("Cost: {0}", dollars(usd))}${usual === null ? nothing : html` · ${said(usual.text, maxText)}`}${
          unpriced === 0
            ? nothing
            : html` ·
              ${plural(unpriced, t("Without 1 call of no known price"), t("Without {0} calls of no known price", wholeNumber(unpriced)))}`
        }
      </p>
    </div></purser-section
  >`;
}

function share(percents: number, text: WhyClause["text"], below: unknown): TemplateResult {
  return html`<li>
    <span class="share number">${percent(percents)}</span>
    <div>
      <p>${said(text, maxText)}</p>
      ${below}
    </div>
  </li>`;
}

/** The sessions and turns that prove a clause, as links. */
function proofs(context: RenderContext, { session }: Why, { proofs: all, sessions }: WhyClause): unknown {
  const lines = all.flatMap((proof) => {
    const turns = turnLinks(context, proof, session !== null);
    if (session !== null) return turns.length === 0 ? [] : [html`<p class="quiet">${turns}</p>`];
    const name = link(sessionName(proof.session, context.now, maxName), () =>
      context.actions.openSession(proof.session.id),
    );
    return [
      html`<p class="quiet">
        ${name} ·
        <span class="number">${dollars(proof.usd)}</span>${turns.length === 0 ? nothing : html` · ${turns}`}
      </p>`,
    ];
  });
  const more = sessions - all.length;
  return html`${lines}${
    more > 0
      ? html`<p class="quiet">
          ${plural(more, t("and 1 more session"), t("and {0} more sessions", wholeNumber(more)))}
        </p>`
      : nothing
  }`;
}

function turnLinks({ actions }: RenderContext, { session, turns }: WhyProof, isOpen: boolean): unknown[] {
  return turns
    .flatMap(({ messageId, number }) => (number === null ? [] : [{ messageId, number }]))
    .slice(0, maxTurns)
    .sort((one, other) => one.number - other.number)
    .map(({ messageId, number }, index) => {
      const open = () => (isOpen ? actions.showTurn(messageId) : actions.openTurn(session.id, messageId));
      return html`${index > 0 ? ", " : ""}${link(t("Turn {0}", wholeNumber(number)), open)}`;
    });
}
