import { randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { Issuer } from '../../../demo/actors/issuer.ts';
import { CLOUDS, type DemoCloud } from '../../../demo/fake-clouds/clouds.ts';
import { DOCUMENTS } from '../../../ports/documents.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { registration } from '../../actors/tenant.ts';
import { contract } from '../../support/documents/contract.ts';
import { membersOf } from '../../support/kms/cloud-configs.ts';
import { FormNotes } from '../../support/releases/form-notes.ts';
import { canary, type PLACES, type Place } from '../../support/secrets/secret-places.ts';
import { SecretSweep } from '../../support/secrets/secret-sweep.ts';
import { recordTelemetry } from '../../support/servers/recorded-telemetry.ts';
import { type Answer, type Call, startServer, type TestServer } from '../../support/servers/server.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

export type Json = Record<string, unknown>;

/** A server on a store of its own in which secrets are planted; registers the hooks that start and stop it. */
export class PlantedServer {
  readonly sweep = new SecretSweep();
  readonly peer = new HttpPeer();
  readonly clouds: Record<string, DemoCloud> = {};
  /** What the operator knows of the first account. */
  readonly superadmin = { email: `root-${randomUUID()}@example.org`, password: canary(), token: canary() };
  /** Notes every answer. */
  server!: TestServer;
  /** What the tests of one kind of secrets make for those of the next. */
  wallet!: { id: string; token: string };
  enterprise = '';
  credentialId = '';
  readonly issuers: Issuer[] = [];
  /** What its spans say. */
  readonly #traced = recordTelemetry();
  /** The forms of what it stores. */
  readonly forms = new FormNotes();
  readonly #records = new WrittenRecords();
  #opened!: TestServer;
  #place!: Place;

  constructor(openPlace: (typeof PLACES)[string]) {
    before(() => this.#start(openPlace));
    after(() => this.#close());
  }

  plant(name: string, value: string, shownBy: readonly string[] = []): string {
    return this.sweep.plant(name, value, shownBy);
  }

  /** Plants what a key of a cloud is used with. */
  plantCloud(cloud: string, { config }: DemoCloud['key']): void {
    for (const [member, value] of Object.entries(membersOf(config as Json)))
      if (/secret|pem/i.test(member)) this.plant(`${cloud} ${member}`, value, ['onboardIssuer']);
  }

  async call(operationId: string, status: number | number[], request: Call = {}): Promise<Answer> {
    const answer = await this.server.call(operationId, request);
    expect([status].flat(), `${operationId}: ${JSON.stringify(answer.body)}`).to.include(answer.status);
    return answer;
  }

  /** Notes what the server wrote to its log, its callbacks and its store. */
  async noteAll(): Promise<void> {
    const { sweep, peer } = this;
    sweep.note('log', this.#opened.lines.map((line) => inspect(line, { depth: 12, maxStringLength: null })).join('\n'));
    for (const { headers, body, url } of peer.seen) {
      const { authorization: _, ...others } = headers;
      sweep.note('callback', [url.href, inspect(others), body].join('\n'));
    }
    sweep.note('store', await this.#place.bytes());
  }

  /** The texts in spans that are from no closed set. */
  async openTexts(): Promise<string[]> {
    const { operations } = await contract;
    const paths = operations.flatMap(({ method, path }) => [path, `${method.toUpperCase()} ${path}`]);
    const methods = new Set(operations.map(({ method }) => method.toUpperCase()));
    const ids = operations.map(({ operationId }) => operationId);
    const ofStore = ['insert', 'get', 'replace', 'remove', 'take', 'list', 'ids'].flatMap((name) => [
      name,
      `store ${name}`,
    ]);
    const { collections } = this.#records;
    const known = new Set([...paths, ...methods, ...ids, ...Object.keys(DOCUMENTS), ...ofStore, ...collections]);
    return [...this.#traced.texts].filter((text) => !known.has(text));
  }

  /** The names of the collections that it opened. */
  get collections(): ReadonlySet<string> {
    return this.#records.collections;
  }

  /** The records of the store as the server reads them. */
  records(): Promise<string[]> {
    return this.#records.opened(this.#opened.settings, this.#opened.clock.now);
  }

  async #start(openPlace: (typeof PLACES)[string]): Promise<void> {
    await this.peer.listen();
    this.peer.routes['/events'] = () => ({ status: 204 });
    for (const [cloud, start] of Object.entries(CLOUDS)) this.clouds[cloud] = await start();
    this.#place = await openPlace(this.sweep);
    const { options } = this.#place;
    this.#opened = await startServer({
      ...options,
      settings: { ...this.#settings(), ...options.settings },
      wrapStore: (store) => this.forms.wrap(this.#records.wrap(store)),
      telemetry: this.#traced.telemetry,
    });
    this.server = this.sweep.watch(await asManager(this.#opened));
  }

  /** Settings with secrets of the operator. */
  #settings() {
    const { email, password, token } = this.superadmin;
    const entry = registration(email);
    entry.account.data.password = this.plant('superadmin password', password);
    const masterKeys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('hex'));
    this.plant('master key', masterKeys[0] ?? '');
    this.plant('old master key', masterKeys[1] ?? '');
    const kms = Object.assign(
      { pkcs11: this.#tokens() },
      ...Object.values(this.clouds).map(({ settings }) => settings),
    );
    const outbound = { callbacks: { signingSecrets: [this.plant('callback secret', canary())] } };
    const tokens = { [this.plant('superadmin token', token)]: entry };
    const managementToken = this.plant('management token', randomBytes(24).toString('hex'));
    const services = { management: 'token' as const, managementToken };
    return { masterKeys, kms, outbound, services, superadminRegistration: { tokens } };
  }

  /** A token whose module cannot be loaded. */
  #tokens() {
    const pin = this.plant('PIN of a token', canary());
    const accessKey = this.plant('access key of a token', canary());
    return { tokens: [{ name: 'registrar', library: '/nowhere/module.so', label: 'registrar', pin, accessKey }] };
  }

  async #close(): Promise<void> {
    await this.#opened.close();
    await this.#place.close();
    await this.peer.close();
    for (const cloud of Object.values(this.clouds)) await cloud.close();
  }
}

/** The server, with the operator's token in calls of management. */
async function asManager(server: TestServer): Promise<TestServer> {
  const { managementToken: token } = server.settings.services;
  const operations = (await contract).operations.filter(({ isManagement }) => isManagement);
  const managing = new Set(operations.map(({ operationId }) => operationId));
  return { ...server, call: (id, call) => server.call(id, managing.has(id) ? { token, ...call } : call) };
}
