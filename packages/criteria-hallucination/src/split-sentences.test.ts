import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import { hasLetters } from './letters.ts';
import { splitSentences } from './split-sentences.ts';

const trimmed = (text: string): string[] => splitSentences(text).map((sentence) => sentence.trim());

describe('splitSentences(), for prose,', () => {
  test.each<[string, readonly string[]]>([
    ['It rains. Take a coat! Why?', ['It rains.', 'Take a coat!', 'Why?']],
    ['Dr. Smith met Mrs. J. S. Bach. They ate.', ['Dr. Smith met Mrs. J. S. Bach.', 'They ate.']],
    ['It costs 3.50 or 1,000.25. Cheap.', ['It costs 3.50 or 1,000.25.', 'Cheap.']],
    ['See https://a.org/x?b=c.d#e. Then e.g. This.', ['See https://a.org/x?b=c.d#e.', 'Then e.g. This.']],
    ['Use v1.2.3 of file.name.txt. Done.', ['Use v1.2.3 of file.name.txt.', 'Done.']],
    ['See No. 5 and fig. 3. No. Never.', ['See No. 5 and fig. 3.', 'No.', 'Never.']],
    ['Er kommt am 3. Mai, z. B. mit Dr. Weiß. Gut.', ['Er kommt am 3. Mai, z. B. mit Dr. Weiß.', 'Gut.']],
    ['So did I. You too.', ['So did I.', 'You too.']],
    ['He said "No." She left.', ['He said "No."', 'She left.']],
    ['他说好。世界！真的吗？是。', ['他说好。', '世界！', '真的吗？', '是。']],
    ['नमस्ते। आप कैसे हैं? ठीक', ['नमस्ते।', 'आप कैसे हैं?', 'ठीक']],
    ['مرحبا. كيف حالك؟ بخير.', ['مرحبا.', 'كيف حالك؟', 'بخير.']],
    ['Wait… what? Yes.', ['Wait… what?', 'Yes.']],
    ['No full stop', ['No full stop']],
    ['A line that was\nwrapped goes on. Next.', ['A line that was\nwrapped goes on.', 'Next.']],
    ['Name: Bob\nAge: 3\nCity: Rome', ['Name: Bob', 'Age: 3', 'City: Rome']],
  ])('splits %j', (text, sentences) => {
    expect(trimmed(text)).toEqual(sentences);
  });
});

describe('splitSentences(), for Markdown,', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'list items',
      '- One\n- Two. Three.\n  * Four\n1. Five\n2) Six',
      ['- One', '- Two.', 'Three.', '* Four', '1. Five', '2) Six'],
    ],
    ['lettered items', 'Take:\na) salt\nb) oil', ['Take:', 'a) salt', 'b) oil']],
    ['a list item on several lines', '- One\n  and more.\n- Two', ['- One\n  and more.', '- Two']],
    ['headings', '# A. B\nText.\n## C\n\nMore.', ['# A. B', 'Text.', '## C', 'More.']],
    [
      'a table',
      'See:\n| a | b |\n|---|:-:|\n| 1. x | 2. y |\nAfter.',
      ['See:', '| a | b |\n|---|:-:|\n| 1. x | 2. y |', 'After.'],
    ],
    ['a table without outer bars', 'a | b\n--- | ---\n1 | 2\n\nAfter.', ['a | b\n--- | ---\n1 | 2', 'After.']],
    ['code', 'Run:\n```sh\nls. Cd.\n\n- x\n```\nDone.', ['Run:', '```sh\nls. Cd.\n\n- x\n```', 'Done.']],
    ['code with a fence inside', '````md\n```\nx\n```\n````\nDone.', ['````md\n```\nx\n```\n````', 'Done.']],
    ['an unclosed code block', '~~~\nA. B.\nC', ['~~~\nA. B.\nC']],
    ['code on one line', '```x``` runs. It ends.', ['```x``` runs.', 'It ends.']],
    ['rules', 'One.\n\n---\n\nTwo.\n***', ['One.\n\n---', 'Two.\n***']],
    ['a rule at the beginning', '---\nOne.', ['---\nOne.']],
    ['quotes', '> One. Two.\n> - Three', ['> One.', 'Two.', '> - Three']],
    ['a year at the beginning of a line', 'It began in\n1999. It ended.', ['It began in', '1999. It ended.']],
  ])('splits %s', (_, text, sentences) => {
    expect(trimmed(text)).toEqual(sentences);
  });
});

test('splitSentences() returns nothing for a text without letters', () => {
  for (const text of ['', ' \n', '---', '👍', '| - |\n|---|', '```\n```']) expect(splitSentences(text)).toEqual([]);
});

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  binaryText(),
  fc.constantFrom(
    ...[
      '\n',
      '\r\n',
      '\n\n',
      '```',
      '~~~',
      '- ',
      '1. ',
      '2) ',
      '| ',
      '|---|',
      '# ',
      '> ',
      '. ',
      'Dr. ',
      '。',
      '\u2028',
    ],
  ),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

test('splitSentences() splits any text into pieces that each contain a letter and together make up the text', () => {
  fc.assert(
    fc.property(text, (of) => {
      const sentences = splitSentences(of);
      expect(sentences.join('')).toBe(hasLetters(of) ? of : '');
      for (const sentence of sentences) expect(hasLetters(sentence)).toBe(true);
      expect(splitSentences(of)).toEqual(sentences);
    }),
    { numRuns: runs(500) },
  );
});

test('splitSentences() stays fast for long repetitive texts', () => {
  const texts = ['Dr. ', 'a. ', '- a\n', '|a|\n|-|\n', '```\n', '> ', '#', '1. ', ' ', '\n', '.', 'a?b', '`', '~~~x\n'];
  const taken = cpuTime();
  for (const one of texts) splitSentences(one.repeat(Math.ceil(50_000 / one.length)));
  expect(taken()).toBeLessThan(20_000);
});
