import { createSocket } from 'node:dgram';

const A = 1;
const HEADER_BYTES = 12;

/**
 * A name server that answers as it is told, again at each question: this is how a name first leads here and then elsewhere.
 * @param addressesOf IPv4 addresses of a name, at its n-th question (from 0); none: there is no such name
 */
export async function startDns(
  addressesOf: (name: string, question: number) => readonly string[],
): Promise<{ close(): void }> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, endsAt } = readQuestion(query);
    let addresses: readonly string[] = [];
    if (type === A) {
      const question = asked.get(name) ?? 0;
      asked.set(name, question + 1);
      addresses = addressesOf(name, question);
    }
    socket.send(answer(query.subarray(0, endsAt), addresses), from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(53, '127.0.0.1', resolve);
  });
  return { close: () => socket.close() };
}

function readQuestion(query: Buffer): { name: string; type: number; endsAt: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), endsAt: at + 5 };
}

/** The question again, and one record with no life time for each address. */
function answer(question: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([
      0xc0,
      HEADER_BYTES,
      0,
      A,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...address.split('.').map(Number),
    ]),
  );
  return Buffer.concat([head, ...records]);
}
