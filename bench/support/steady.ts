import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './load.ts';

/** A request, its rate per second, and for how long it is sent. */
export interface Steady {
  request: Buffer;
  rate: number;
  ms: number;
}

/** Connections opened beforehand; more are opened only while all wait for an answer. */
const CONNECTIONS = 64;

/**
 * Sends requests when they are due, also before earlier ones are answered, as many users would; those due within one
 * millisecond are sent together. Returns the latency of each in milliseconds. @throws Error when an answer is not a 200
 */
export async function steadyLatencies(port: number, { request, rate, ms }: Steady): Promise<number[]> {
  const idle: Connection[] = [];
  const send = async (connection = idle.pop() ?? new Connection(port)): Promise<number> => {
    const sent = performance.now();
    const { status } = await connection.send(request);
    if (status !== 200) throw new Error(`The server answered ${status}`);
    idle.push(connection);
    return performance.now() - sent;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send(new Connection(port))));
  const latencies: Promise<number>[] = [];
  const started = performance.now();
  for (let due = started; due < started + ms; due += 1000 / rate) {
    while (performance.now() < due) await sleep(1);
    latencies.push(send());
  }
  const all = await Promise.all(latencies);
  // A server closes connections that are idle for long: the next slice opens new ones.
  for (const connection of idle) connection.close();
  return all;
}
