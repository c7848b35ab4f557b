import { expect, it } from 'vitest';
import { trendDates } from './trend-dates.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 5).getTime();

it('trendDates() adds the time of day only to runs of one day', () => {
  expect(trendDates([at(22, 9), at(23, 9), at(23, 15)], 'en-GB')).toEqual(['22 Nov', '23 Nov, 09:05', '23 Nov, 15:05']);
});
