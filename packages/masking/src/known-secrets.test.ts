import { expect, it } from 'vitest';
import { knownSecrets } from './known-secrets.ts';

const namesOf = (secrets: ReturnType<typeof knownSecrets>) =>
  secrets
    .now()
    .map(({ name }) => name)
    .sort();

it('knownSecrets() finds replaced values and new variables, and keeps former values', () => {
  const environment: Record<string, string | undefined> = { HOME: '/home/me', A_TOKEN: 'first-value-of-it' };
  const secrets = knownSecrets(() => [environment]);
  expect(namesOf(secrets)).toEqual(['A_TOKEN']);
  environment.A_TOKEN = 'second-value-of-it';
  expect(secrets.now().map(({ value }) => value)).toContain('second-value-of-it');
  delete environment.HOME;
  environment.B_PASSWORD = 'third-value-of-it';
  expect(namesOf(secrets)).toEqual(['A_TOKEN', 'A_TOKEN', 'B_PASSWORD']);
  // Too short for a secret at first, then long enough.
  environment.B_PASSWORD = 'short';
  secrets.now();
  environment.B_PASSWORD = 'fourth-value-of-it';
  expect(secrets.now().map(({ value }) => value)).toContain('fourth-value-of-it');
});

it('knownSecrets() returns the same list until a secret is added', () => {
  const environment: Record<string, string> = { A_TOKEN: 'first-value-of-it' };
  const secrets = knownSecrets(() => [environment]);
  const before = secrets.now();
  environment.PLAIN = 'no secret at all, and long';
  expect(secrets.now()).toBe(before);
});

it('knownSecrets() reads all environments, even if their number and order change', () => {
  let all: readonly Readonly<Record<string, string>>[] = [{ A_TOKEN: 'first-value-of-it' }, { B: 'x' }];
  const secrets = knownSecrets(() => all);
  secrets.now();
  all = [{ B: 'x' }, { C_TOKEN: 'second-value-of-it' }, { D_TOKEN: 'third-value-of-it' }];
  expect(namesOf(secrets)).toEqual(['A_TOKEN', 'C_TOKEN', 'D_TOKEN']);
  all = [{ E_TOKEN: 'fourth-value-of-it' }];
  expect(namesOf(secrets)).toEqual(['A_TOKEN', 'C_TOKEN', 'D_TOKEN', 'E_TOKEN']);
});
