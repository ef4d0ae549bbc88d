import { html, type TemplateResult } from "lit";

/** A drop-down list below its name. @param isOff whether an option cannot be chosen */
export function selectField(
  label: string,
  options: readonly string[],
  chosen: number,
  choose: (index: number) => void,
  isOff: (index: number) => boolean = () => false,
): TemplateResult {
  return html`<label
    ><span>${label}</span>
    <select
      @change=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLSelectElement) choose(currentTarget.selectedIndex);
      }}
    >
      ${options.map(
        (name, index) =>
          html`<option .selected=${index === chosen} ?disabled=${isOff(index)}>${name}</option>`,
      )}
    </select></label
  >`;
}

interface TextField {
  /** Unique on the page, in any language. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  /** Characters. */
  readonly most: number;
  readonly title?: string;
  /** Texts that are offered. */
  readonly known?: readonly string[];
  /** Returns the text to show instead: a refused one is taken back. */
  readonly enter: (text: string) => string;
}

/** A field for a name, below its own, with the usual ones offered. */
export function textField({
  id,
  label,
  value,
  placeholder,
  most,
  title = "",
  known = [],
  enter,
}: TextField): TemplateResult {
  const list = `known-${id}`;
  return html`<label title=${title}
    ><span>${label}</span>
    <input
      type="text"
      maxlength=${most}
      spellcheck="false"
      list=${list}
      placeholder=${placeholder}
      .value=${value}
      @change=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLInputElement)
          currentTarget.value = enter(currentTarget.value.trim());
      }}
    /><datalist id=${list}>${known.map((name) => html`<option value=${name}></option>`)}</datalist></label
  >`;
}

interface NumberField {
  readonly label: string;
  readonly value: number | null;
  readonly placeholder?: string;
  readonly least: number;
  readonly most?: number;
  readonly step?: number;
  readonly title?: string;
  /** @param value null for an empty field, if that is allowed */
  readonly enter: (value: number | null) => void;
}

/** A field for a whole number, below its name. A number outside its range is taken back. */
export function numberField({
  label,
  value,
  placeholder,
  least,
  most = Number.MAX_SAFE_INTEGER,
  step = 1,
  title = "",
  enter,
}: NumberField): TemplateResult {
  const shown = value === null ? "" : String(value);
  return html`<label title=${title}
    ><span>${label}</span>
    <input
      type="number"
      min=${least}
      max=${most}
      step=${step}
      placeholder=${placeholder ?? ""}
      .value=${shown}
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        const entered = currentTarget.value === "" ? null : currentTarget.valueAsNumber;
        const isEmptyWrong = entered === null && placeholder === undefined;
        const isOutside =
          entered !== null && (!Number.isInteger(entered) || entered < least || entered > most);
        if (isEmptyWrong || isOutside) currentTarget.value = shown;
        else enter(entered);
      }}
  /></label>`;
}
