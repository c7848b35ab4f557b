/** Languages whose stemmers are those of the library `natural`, by ISO 639-1 code. */
export const naturalLanguages = ['de', 'es', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv', 'uk'] as const;

export type NaturalLanguage = (typeof naturalLanguages)[number];

/** `en` is NLTK's stemmer, as ADK uses it; `none` compares words as they are. */
export const languages = ['en', ...naturalLanguages, 'none'] as const;

export type Language = (typeof languages)[number];
