/**
 * Returns the stem of an English word: Porter's algorithm of 1980 with the changes of Python's NLTK (`PorterStemmer`,
 * mode `NLTK_EXTENSIONS`), which ADK's ROUGE uses. Agrees with NLTK on every word of the golden list. The word is
 * lower-cased; letters outside a-z count as consonants. Linear in the length of the word.
 *
 * ```ts
 * stem('running'); // 'run'
 * stem('skies'); // 'sky'
 * ```
 */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  const irregular = irregularForms.get(lower);
  if (irregular !== undefined) return irregular;
  if (lower.length <= 2) return lower;
  return step5(step4(step3(step2(step1c(step1b(step1a(lower)))))));
}

// The steps are numbered as in Porter's paper.

const irregularForms: ReadonlyMap<string, string> = new Map([
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['inning', 'inning'],
  ['innings', 'inning'],
  ['outing', 'outing'],
  ['outings', 'outing'],
  ['canning', 'canning'],
  ['cannings', 'canning'],
  ['howe', 'howe'],
  ['proceed', 'proceed'],
  ['exceed', 'exceed'],
  ['succeed', 'succeed'],
]);

/** Plurals. NLTK keeps the `e` of four-letter words: `dies` becomes `die`. */
function step1a(word: string): string {
  if (word.endsWith('sses')) return cut(word, 2);
  if (word.endsWith('ies')) return cut(word, word.length === 4 ? 1 : 2);
  if (word.endsWith('ss')) return word;
  return word.endsWith('s') ? cut(word, 1) : word;
}

/** `ed` and `ing`. NLTK adds the rule for `ied`. */
function step1b(word: string): string {
  if (word.endsWith('ied')) return cut(word, word.length === 4 ? 1 : 2);
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? cut(word, 1) : word;
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (suffix === 0 || !hasVowel(word, word.length - suffix)) return word;

  const rest = cut(word, suffix);
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`;
  const last = rest.length - 1;
  if (last > 0 && rest[last] === rest[last - 1] && isConsonant(rest, last)) {
    return 'lsz'.includes(rest[last] ?? '') ? rest : cut(rest, 1);
  }
  return measure(rest, rest.length) === 1 && endsShort(rest, rest.length) ? `${rest}e` : rest;
}

/** `y` becomes `i`; in NLTK only after a consonant that is not the first letter. */
function step1c(word: string): string {
  const last = word.length - 1;
  return word.endsWith('y') && last > 1 && isConsonant(word, last - 1) ? `${cut(word, 1)}i` : word;
}

function step2(word: string): string {
  const formal = word.endsWith('alli') && measure(word, word.length - 4) > 0 ? cut(word, 2) : word;
  // The `l` of `logi` counts as part of the stem, so that `geologi` is treated like `archaeologi`.
  if (formal.endsWith('logi')) return measure(formal, formal.length - 3) > 0 ? cut(formal, 1) : formal;
  return replaced(formal, step2Rules, 0);
}

const step2Rules: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['fulli', 'ful'],
];

function step3(word: string): string {
  return replaced(word, step3Rules, 0);
}

const step3Rules: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

/** `ion` is removed only after `s` or `t`. */
function step4(word: string): string {
  if (word.endsWith('ion') && !word.endsWith('sion') && !word.endsWith('tion')) return word;
  return replaced(word, step4Rules, 1);
}

const step4Rules: readonly Rule[] = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
].map((suffix): Rule => [suffix, '']);

/** Removes a final `e`, and the second of two final `l`s. */
function step5(word: string): string {
  let result = word;
  if (word.endsWith('e')) {
    const left = word.length - 1;
    const size = measure(word, left);
    if (size > 1 || (size === 1 && !endsShort(word, left))) result = cut(word, 1);
  }
  return result.endsWith('ll') && measure(result, result.length - 1) > 1 ? cut(result, 1) : result;
}

/** A suffix and its replacement. */
type Rule = readonly [suffix: string, replacement: string];

/** Applies the first rule whose suffix the word has, if the measure of the rest is greater than `above`. */
function replaced(word: string, rules: readonly Rule[], above: number): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const left = word.length - suffix.length;
    return measure(word, left) > above ? word.slice(0, left) + replacement : word;
  }
  return word;
}

function cut(word: string, letters: number): string {
  return word.slice(0, word.length - letters);
}

/** Porter's m: how often a vowel is followed by a consonant in the first `length` letters. */
function measure(word: string, length: number): number {
  let count = 0;
  let consonant = true;
  for (let index = 0; index < length; index += 1) {
    const before = consonant;
    consonant = isConsonantAfter(word, index, before);
    if (consonant && !before) count += 1;
  }
  return count;
}

function hasVowel(word: string, length: number): boolean {
  let consonant = true;
  for (let index = 0; index < length; index += 1) {
    consonant = isConsonantAfter(word, index, consonant);
    if (!consonant) return true;
  }
  return false;
}

/**
 * Whether the stem ends in consonant, vowel, consonant other than w, x, y; in NLTK also whether it is just vowel,
 * consonant.
 */
function endsShort(word: string, length: number): boolean {
  if (length < 2 || !isConsonant(word, length - 1) || isConsonant(word, length - 2)) return false;
  if (length === 2) return true;
  return isConsonant(word, length - 3) && !'wxy'.includes(word[length - 1] ?? '');
}

function isConsonant(word: string, index: number): boolean {
  // A letter depends on the preceding ones only in a run of `y`.
  let start = index;
  while (start > 0 && word[start] === 'y') start -= 1;
  let consonant = isConsonantAfter(word, start, false);
  for (let next = start + 1; next <= index; next += 1) consonant = !consonant;
  return consonant;
}

/**
 * Whether a `y` is a consonant, as it is at the start of a word and after a vowel. `before` tells whether the preceding
 * letter is a consonant.
 */
function isConsonantAfter(word: string, index: number, before: boolean): boolean {
  switch (word[index]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
      return false;
    case 'y':
      return index === 0 || !before;
    default:
      return true;
  }
}
