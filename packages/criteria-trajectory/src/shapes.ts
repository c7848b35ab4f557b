/** Formats of strings that differ from run to run without being wrong. */
export type Shape = 'date' | 'uuid';

/** All shapes, for schemas and messages. */
export const shapes: readonly Shape[] = ['date', 'uuid'];

/** Whether a value is a string of this shape. */
export function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof value !== 'string') return false;
  return shape === 'date' ? isDate(value) : uuid.test(value);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const date =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?Z|[+-](\d{2}):?(\d{2}))?)?$/i;

// ISO 8601 with a date that exists, unlike `2026-02-30`.
function isDate(text: string): boolean {
  const match = date.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  // 60 is a leap second.
  const timeExists = hour <= 23 && minute <= 59 && second <= 60 && zoneHour <= 23 && zoneMinute <= 59;
  return day >= 1 && day <= daysIn(year, month) && timeExists;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
