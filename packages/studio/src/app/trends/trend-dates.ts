/** Names times by their days, and those of one day by the time of day, too. */
export function trendDates(times: readonly number[], locale?: string): readonly string[] {
  const days = times.map((time) => new Date(time).toLocaleDateString(locale, { month: 'short', day: 'numeric' }));
  return days.map((day, place) => {
    if (days.filter((other) => other === day).length === 1) return day;
    return `${day}, ${new Date(times[place] ?? 0).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })}`;
  });
}
