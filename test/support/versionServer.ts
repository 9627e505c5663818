// A real MCP server with a version and nothing else, for tests of those who start servers. How it misbehaves is its first argument.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const [behaviour = 'well'] = process.argv.slice(2);

if (behaviour === 'exits') {
  console.error('node:sqlite is missing here');
  process.exitCode = 3;
} else if (behaviour === 'silent') {
  setInterval(() => undefined, 1000); // outlives its stdin
} else {
  if (behaviour === 'noisy') process.stdout.write('this is not JSON-RPC\n');
  if (behaviour === 'stubborn') {
    process.on('SIGTERM', () => console.error('SIGTERM ignored'));
    setInterval(() => undefined, 1000); // outlives its stdin
  }
  await new McpServer({ name: 'delegate', version: '9.8.7' }).connect(new StdioServerTransport());
  if (behaviour !== 'stubborn') process.stdin.once('end', () => process.exit(0));
}
