import { fromBase64 } from '../../domain/foundation/bytes.ts';
import { asList, isObject, isText, type JsonObject } from '../../domain/foundation/json.ts';
import { parseIso } from '../../domain/foundation/time.ts';
import type { ListedCertificate, TrustListContent } from '../../ports/codecs/trust-lists.ts';
import { refusedList } from './xml-elements.ts';

const MAX_ENTRIES = 10_000;

/** Reads a list in JSON (ETSI TS 119 602), alone or as the member `LoTE`. @throws DomainError `BadRequest` */
export function readJsonList(document: JsonObject): TrustListContent {
  const list = isObject(document.LoTE) ? document.LoTE : document;
  const scheme = list.ListAndSchemeInformation;
  if (!isObject(scheme)) throw refusedList('has no ListAndSchemeInformation');
  if (asList(scheme.SchemeExtensions ?? []).some(isCritical))
    throw refusedList('has a critical extension that is not supported');
  const { LoTEType: type, NextUpdate: nextUpdate } = scheme;
  const entries = objects(list.TrustedEntitiesList, 'TrustedEntitiesList')
    .map((entity) => objects(entity.TrustedEntityServices, 'TrustedEntityServices'))
    .flatMap((services, entity) => services.flatMap((service) => entriesOf(service, entity)));
  if (entries.length > MAX_ENTRIES) throw refusedList(`has more than ${MAX_ENTRIES} certificates`);
  return {
    ...(isText(type) && { type }),
    issuedAt: dateOf(scheme.ListIssueDateTime, 'ListIssueDateTime'),
    ...(nextUpdate !== undefined && { nextUpdate: dateOf(nextUpdate, 'NextUpdate') }),
    entries,
  };
}

const isCritical = (extension: unknown): boolean =>
  isObject(extension) && (extension.critical === true || extension.Critical === true);

function entriesOf(service: JsonObject, entity: number): ListedCertificate[] {
  const { ServiceInformation: information } = service;
  if (!isObject(information)) throw refusedList('has a service without ServiceInformation');
  const { ServiceTypeIdentifier: serviceType, ServiceStatus: status, StatusStartingTime: since } = information;
  const { ServiceDigitalIdentity: identity } = information;
  const certificates = isObject(identity) ? objects(identity.X509Certificates, 'X509Certificates') : [];
  return certificates.map(({ val }) => ({
    certificate: certificateOf(val),
    entity,
    ...(isText(serviceType) && { serviceType }),
    ...(isText(status) && { status }),
    ...(since !== undefined && { statusSince: dateOf(since, 'StatusStartingTime') }),
  }));
}

function certificateOf(value: unknown): Uint8Array {
  const der = isText(value) ? fromBase64(value.replaceAll(/\s/g, '')) : undefined;
  if (!der?.length) throw refusedList('has a certificate that is not base64');
  return der;
}

function objects(value: unknown, name: string): JsonObject[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw refusedList(`has no list of objects as ${name}`);
}

function dateOf(value: unknown, name: string): number {
  const ms = isText(value) ? parseIso(value) : undefined;
  if (ms === undefined) throw refusedList(`has no date as ${name}`);
  return ms;
}
