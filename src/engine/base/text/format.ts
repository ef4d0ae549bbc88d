/** The minus sign, U+2212: a hyphen is narrower than digits and may end a line. */
export const minus = "\u2212";

/** Stands in a table for a figure that is unknown, or that does not exist. */
export const dash = "\u2013";

/** `124,310`, `−1,234`. Without `Intl.NumberFormat`: its first use costs a process 20 ms. */
export function wholeNumber(value: number): string {
  const digits = String(Math.round(Math.abs(value))).replace(/\B(?=(?:\d{3}){1,7}$)/gu, ",");
  return value < 0 && digits !== "0" ? `${minus}${digits}` : digits;
}

/** An estimate: `109,000` for 108,979. Three digits, since more would claim a precision that no estimate has. */
export function estimatedNumber(value: number): string {
  const digits = Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1;
  const unit = 10 ** Math.max(0, digits - 3);
  return wholeNumber(Math.round(value / unit) * unit);
}

/** A difference: `+1,234`, `−1,234`, `0`. */
export function signedNumber(value: number): string {
  const text = wholeNumber(value);
  return value > 0 && text !== "0" ? `+${text}` : text;
}

/** A difference as a share of what it is compared with, given as a fraction: `+3%`, `−22%`, `0%`. */
export function signedPercent(fraction: number): string {
  const rounded = Math.round(Math.abs(fraction) * 100);
  if (rounded === 0) return "0%";
  return `${fraction < 0 ? minus : "+"}${wholeNumber(rounded)}%`;
}

/** `812`, `83k`, `1.2M`: for small spaces. */
export function shortNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${(value / 1_000_000).toFixed(value < 9_950_000 ? 1 : 0).replace(/\.0$/u, "")}M`;
}

/** `$1.92`, `$0.004`: cents, but a tenth of a cent below 10 cents. */
export function dollars(value: number): string {
  if (value === 0 || Math.abs(value) >= 0.1) return `${value < 0 ? minus : ""}$${Math.abs(value).toFixed(2)}`;
  if (Math.abs(value) < 0.001) return value < 0 ? `> ${minus}$0.001` : "< $0.001";
  return `${value < 0 ? minus : ""}$${Math.abs(value).toFixed(3)}`;
}

/** A price that is estimated: `~$1.92`, `< $0.001`. */
export function aboutDollars(value: number): string {
  const text = dollars(value);
  return /^[<>]/u.test(text) ? text : `~${text}`;
}

/** `62%`. Only the full share is shown as 100%, and only 0 as 0%. */
export function percent(value: number): string {
  if (value > 0 && value < 1) return "<1%";
  return `${value < 100 ? Math.min(99, Math.round(value)) : 100}%`;
}
