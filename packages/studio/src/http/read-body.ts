import type { Context } from 'hono';
import { refusal } from './refusal.ts';

/** The JSON of a request; `null` where it has no body. */
export async function readBody(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(422, [{ type: 'json_invalid', loc: ['body'], msg: (error as Error).message }]);
  }
}
