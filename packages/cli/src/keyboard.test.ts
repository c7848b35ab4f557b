import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openKeyboard } from './keyboard.ts';

/** A terminal that remembers its mode. */
function terminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (mode: boolean) => modes.push(mode) });
  return { input, modes };
}

it('openKeyboard() returns typed keys one by one, and restores the terminal', async () => {
  const { input, modes } = terminal();
  const keyboard = openKeyboard(input);
  input.write('p');
  expect(await keyboard.key()).toBe('p');
  const waiting = keyboard.key();
  input.write('é');
  expect(await waiting).toBe('é');
  keyboard.close();
  expect(modes).toEqual([true, false]);
  expect(keyboard.echo).toBe(true);
});

it('openKeyboard() ends on Ctrl-C, and skips keys without a character', async () => {
  const { input } = terminal();
  const keyboard = openKeyboard(input);
  input.write('\u001b[A');
  await new Promise((done) => setImmediate(done));
  input.write('\u0003');
  expect(await keyboard.key()).toBeNull();
  expect(await keyboard.key()).toBeNull();
});

it('openKeyboard() reads a pipe to its end', async () => {
  const input = new PassThrough();
  const keyboard = openKeyboard(input);
  input.end('pf');
  expect([await keyboard.key(), await keyboard.key(), await keyboard.key()]).toEqual(['p', 'f', null]);
  expect(keyboard.echo).toBe(false);
});
