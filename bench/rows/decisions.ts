import { type Made, makeRequests } from '../support/generated-requests.ts';
import type { Line } from '../support/harness.ts';
import { Connection, encode } from '../support/load.ts';
import { USUAL_SIZE } from '../support/orders-document.ts';
import { serveOrders } from '../support/servers.ts';

const COUNT = 10_000;
const CONNECTIONS = 8;
const SHOWN = 10;

/** Sends every request to one server; whether each was accepted, in their order. */
async function decide(port: number, requests: readonly Made[]): Promise<boolean[]> {
  const accepted: boolean[] = [];
  let next = 0;
  const drive = async (): Promise<void> => {
    let connection = new Connection(port);
    for (let at = next++; at < requests.length; at = next++) {
      const { status, closes } = await connection.send(encode((requests[at] as Made).sent));
      accepted[at] = status < 400;
      if (!closes) continue;
      connection.close();
      connection = new Connection(port);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, drive));
  return accepted;
}

/** The same request without the members that are null, which mean absent to us. */
function withoutNulls({ sent, stricter }: Made): Made {
  const { body } = sent;
  if (body === undefined) return { sent, stricter };
  const rest: unknown = JSON.parse(body, (_, value) => value ?? undefined);
  return { sent: { ...sent, body: JSON.stringify(rest) }, stricter };
}

/** Whether we accept exactly what openapi-backend accepts, except where a documented rule of ours is stricter or takes null for absent. */
export async function decisions(): Promise<Line[]> {
  const requests = makeRequests(COUNT);
  const [ours, shipped] = await Promise.all([
    serveOrders({ name: 'support/edge-server', size: USUAL_SIZE }),
    serveOrders({ name: 'baselines/as-shipped', size: USUAL_SIZE }),
  ]);
  const [mine, theirs] = await Promise.all([decide(ours.port, requests), decide(shipped.port, requests)]);
  await ours.close();
  const differing = requests.map((made, at) => ({ made, at })).filter(({ at }) => mine[at] !== theirs[at]);
  const stricter = differing.filter(({ made, at }) => mine[at] === false && made.stricter.length > 0);
  const looser = differing.filter(({ at }) => mine[at] === true);
  const absent = await decide(
    shipped.port,
    looser.map(({ made }) => withoutNulls(made)),
  );
  await shipped.close();
  const explained = new Set([...stricter, ...looser.filter((_, index) => absent[index])]);
  const unexplained = differing.filter((difference) => !explained.has(difference));
  for (const { made, at } of unexplained.slice(0, SHOWN))
    console.error(`${mine[at] ? 'only we accept' : 'only we refuse'}: ${encode(made.sent).toString().slice(0, 600)}\n`);
  return [
    {
      work: `decisions on ${COUNT} requests, differences`,
      ours: `${mine.filter(Boolean).length} accepted`,
      beside: `${theirs.filter(Boolean).length} openapi-backend, ${stricter.length} of them by stricter rules`,
      ratio: unexplained.length,
      goal: { atMost: 0 },
    },
  ];
}
