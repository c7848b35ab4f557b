import { describe, expect, it } from 'vitest';
import { parseMatchType } from './match-type.ts';

describe('parseMatchType', () => {
  it.each(['in order', ' IN-ORDER\n', '\x1cin_order\x1f', '\x85IN_ORDER\u00a0', 'IN_ORDER\u3000'])(
    'reads %j, as Python does',
    (text) => {
      expect(parseMatchType(text)).toBe('IN_ORDER');
    },
  );

  it.each(['\ufeffIN_ORDER', 'IN_ORDER\ufeff', ' \ufeff IN_ORDER', 'IN  ORDER', '\u200bEXACT'])(
    'rejects %j, as Python does',
    (text) => {
      expect(parseMatchType(text)).toBeNull();
    },
  );
});
