/** One of the answers a rater can give. */
export type Category = string | number | boolean;

export function checkCategories(categories: readonly Category[]): void {
  const seen = new Set<Category>();
  for (const [index, category] of categories.entries()) {
    if (!isCategory(category)) throw new RangeError(`categories[${index}] is ${category}. Name each category.`);
    if (seen.has(category)) throw new RangeError(`categories has ${category} twice. Name each category once.`);
    seen.add(category);
  }
}

/** Returns a function that finds the index of an answer among the categories, and throws for any other answer. */
export function indexOfCategory(categories: readonly Category[]): (answer: Category, name: string) => number {
  const places = new Map(categories.map((category, index) => [category, index]));
  return (answer, name) => {
    const place = places.get(answer);
    if (place !== undefined) return place;
    throw new RangeError(`${name} is ${answer}, which is none of the categories: ${categories.join(', ')}.`);
  };
}

function isCategory(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
