export const rootAgent = (text) => text === 'bye' ? 'Goodbye' : 'Hello';
