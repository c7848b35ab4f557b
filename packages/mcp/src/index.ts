export { startMcp } from './start-mcp.ts';
