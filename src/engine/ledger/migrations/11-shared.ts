const shared = (row: string) => `is_shared = coalesce(json_array_length(${row}.json, '$.together') > 0, 0)`;

/**
 * The eleventh migration: a receipt's row says whether its runs were shared with other rules, as `6-evidence.ts` names its driver. Only
 * what was found with the same runs is to be confirmed as a whole.
 */
export const sharedReceipts = `
ALTER TABLE receipts ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0;
UPDATE receipts SET ${shared("receipts")} WHERE json_valid(json);
CREATE TRIGGER receipts_shared AFTER INSERT ON receipts WHEN json_valid(NEW.json) BEGIN
  UPDATE receipts SET ${shared("NEW")} WHERE id = NEW.id;
END;
`;
