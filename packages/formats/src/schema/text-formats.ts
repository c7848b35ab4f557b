const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Checks by `format`, except `regex`, which depends on the pattern engine. */
export const textFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDay],
  ['time', (text) => TIME.test(text)],
  ['date-time', (text) => /^.{10}[t ]/i.test(text) && isDay(text.slice(0, 10)) && TIME.test(text.slice(11))],
  ['email', (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text)],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:\S*$/i.test(text) && URL.canParse(text)],
  ['uuid', (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)],
]);

/** Tells whether a date exists, unlike 2026-02-30. */
function isDay(text: string): boolean {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || day === 0) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}
