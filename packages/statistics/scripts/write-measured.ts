/**
 * Runs the simulations in full and writes their results to `measured.json` and README.md. Takes about half a minute.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { measure, measuredFile, measuredSection } from '../src/__fixtures__/measured.ts';

const results = measure(1);
for (const { about, measured } of results) {
  for (const { method, setting, value, allowed } of measured) {
    if (value >= allowed[0] && value <= allowed[1]) continue;
    console.log(`${about}: ${method}, ${setting}: ${value} lies outside of ${allowed.join(' to ')}`);
  }
}
const lines = results.map(({ about, table, measured }) => {
  const rows = measured.map((one) => JSON.stringify(one)).join(',\n');
  return `{"about":${JSON.stringify(about)},"table":"${table}","measured":[\n${rows}\n]}`;
});
writeFileSync(measuredFile, `[\n${lines.join(',\n')}\n]\n`);
const readme = new URL('../README.md', import.meta.url);
const between = /(<!-- measured -->\n\n)[\s\S]*?(\n\n<!-- end of measured -->)/;
const text = readFileSync(readme, 'utf8');
if (!between.test(text)) throw new Error('README.md lacks the lines between which the numbers are written');
writeFileSync(
  readme,
  text.replace(between, (_, start, end) => `${start}${measuredSection(results)}${end}`),
);
