import type { Fields } from '../fields.ts';
import { textOf } from '../templates/fill-template.ts';
import { assertionOfText } from './assertion-of-text.ts';

/** Reads a row of a table of tests: columns are variables, and those that begin with two underscores say what is expected. */
export function testOfRow(row: Fields, lose: (what: string) => void): Fields {
  const vars: [string, unknown][] = [];
  const metadata: [string, unknown][] = [];
  const asserts: Fields[] = [];
  const test: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row)) {
    const text = textOf(value);
    if (!key.startsWith('__')) vars.push([key, value]);
    else if (/^__expected\d*$/.test(key)) {
      if (text.trim() !== '') asserts.push(assertionOfText(text));
    } else if (key === '__description' || key === '__providerOutput') test[key.slice(2)] = text;
    else if (key === '__prefix' || key === '__suffix') options[key.slice(2)] = text;
    else if (key === '__threshold') test.threshold = Number(text);
    else if (key.startsWith('__metadata:'))
      metadata.push([key.slice('__metadata:'.length).replace(/\[\]$/, ''), listed(key, text)]);
    else if (key !== '__metric') lose(`the column "${key.slice(0, 60)}" of tests, left out`);
  }
  return {
    ...test,
    vars: Object.fromEntries(vars),
    ...(asserts.length === 0 ? {} : { assert: asserts }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

function listed(key: string, text: string): unknown {
  return key.endsWith('[]') ? text.split(',').map((one) => one.trim()) : text;
}
