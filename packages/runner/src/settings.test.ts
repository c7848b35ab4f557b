import { expect, it } from 'vitest';
import { checkRunSettings } from './settings.ts';

it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '1' as never])(
  'checkRunSettings() rejects the price %s',
  (price) => {
    expect(() => checkRunSettings({ prices: { fast: { inputTokens: price, outputTokens: 0 } } })).toThrow(
      `prices: inputTokens of "fast" must be a number of 0 or more, not ${price}`,
    );
  },
);
