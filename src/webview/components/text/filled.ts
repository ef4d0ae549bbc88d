/**
 * Puts elements, or other values, into a translated sentence: `filled(t("Saved in {0}."), link)`. Returns its parts, in the order that the
 * language has them.
 */
export function filled(sentence: string, ...values: readonly unknown[]): unknown[] {
  return sentence.split(/(\{\d+\})/u).map((part) => {
    const place = /^\{(\d+)\}$/u.exec(part)?.[1];
    return place === undefined || Number(place) >= values.length ? part : values[Number(place)];
  });
}
