/** Languages with a stemmer in the library `natural`, as ISO 639-1 codes. */
export const naturalLanguages = ['de', 'es', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv', 'uk'] as const;

export type NaturalLanguage = (typeof naturalLanguages)[number];

/** `en` is NLTK's stemmer, as in ADK; `none` compares words unchanged. */
export const languages = ['en', ...naturalLanguages, 'none'] as const;

export type Language = (typeof languages)[number];
