const text = (row: string, place: string) =>
  `CASE json_type(${row}.json, '${place}') WHEN 'text' THEN json_extract(${row}.json, '${place}') END`;
const number = (row: string, place: string) =>
  `CASE WHEN json_type(${row}.json, '${place}') IN ('integer', 'real') THEN json_extract(${row}.json, '${place}') END`;
const told = (row: string) =>
  `driver = coalesce(${text(row, "$.driver")}, ${text(row, "$.evidence.driver")}),
    saving = ${number(row, "$.verdict.saving.value")}`;

/**
 * The sixth migration: a receipt's row names the driver that made its runs and the saving it found, so that a replay is
 * recognized without reading the JSON again. Both are read from the JSON when the row is inserted, whichever version of
 * purser wrote it.
 *
 * Removes a table and a column that were never written: the memory version a run began with is looked up in `memories`.
 */
export const evidenceTables = `
ALTER TABLE receipts ADD COLUMN driver TEXT;
ALTER TABLE receipts ADD COLUMN saving REAL;
UPDATE receipts SET ${told("receipts")} WHERE json_valid(json);
CREATE TRIGGER receipts_told AFTER INSERT ON receipts WHEN json_valid(NEW.json) BEGIN
  UPDATE receipts SET ${told("NEW")} WHERE id = NEW.id;
END;

DROP TABLE ruleset_versions;
ALTER TABLE runs DROP COLUMN ruleset_version;
`;
