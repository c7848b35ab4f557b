/** Formats a duration in milliseconds: `840 ms`, `1.3 s`, `2 min 5 s`, `1 h 3 min`. */
export function formatTime(milliseconds: number): string {
  const time = Math.max(milliseconds, 0);
  if (time < 1000) return `${Math.round(time)} ms`;
  const tenths = Math.round(time / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(time / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
