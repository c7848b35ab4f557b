import { fieldOf } from '@agent-criteria/formats/schema';
import { Hono } from 'hono';
import { readBody } from '../../http/read-body.ts';
import { refusal } from '../../http/refusal.ts';
import { readCaseText, writeCaseText } from '../../sets/case-text.ts';
import { readCase } from '../../sets/read-case.ts';

/** Cases from and to the text that files have, for an editor. Nothing is saved. */
export function caseTextRoutes(): Hono {
  return new Hono()
    .post('/cases/read', async (c) => {
      const text = fieldOf(await readBody(c), 'text');
      if (typeof text !== 'string') {
        throw refusal(422, [{ type: 'string_type', loc: ['body', 'text'], msg: 'Send { "text": "…" }.' }]);
      }
      return c.json(readCaseText(text));
    })
    .post('/cases/write', async (c) => c.json(writeCaseText(readCase(await readBody(c)))));
}
