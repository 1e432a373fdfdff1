import { DomainError, invalidField } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { allows, canSee, type Rights } from '../access/permissions.ts';
import { isTarget, segmentsOf, type Target } from '../access/targets.ts';
import { dependenciesOf } from './resource-content.ts';
import type { ResourceTree } from './resource-tree.ts';
import { isServiceType, mayUse, needsOf } from './service-types.ts';

/** A dependency as a configuration names it: in `dependencies`, or in a member of its own. */
interface NamedDependency {
  target: Target;
  /** Its position in the configuration. */
  path: FieldPath;
}

/** A service of which dependencies are checked. */
interface Dependent {
  target: Target;
  type: string;
}

/** Members of a configuration that name a dependency, by the type of service that they name. */
const MEMBERS: Readonly<Record<string, string>> = { kms: 'kms' };

/** The members of a configuration that name this dependency. */
export const membersNaming = (type: string, config: JsonObject, target: Target): string[] =>
  membersOf(type, config).filter((member) => config[member] === target);

const membersOf = (type: string, config: JsonObject): string[] =>
  Object.keys(MEMBERS).filter((member) => mayUse(type, MEMBERS[member] ?? '') && isText(config[member]));

/** The dependencies that a configuration names, each once. @throws DomainError `BadRequest` naming a member that is no target */
export function namedDependencies(config: JsonObject & { type: string }): NamedDependency[] {
  const listed = dependenciesOf(config).map((target, index) => ({ target, path: ['dependencies', index] }));
  const others = membersOf(config.type, config).map((member) => ({ target: String(config[member]), path: [member] }));
  const wrong = others.find(({ target }) => !isTarget(target));
  if (wrong) throw invalidField(wrong.path, 'must be the target of a service');
  const all = [...listed, ...others];
  return all.filter(({ target }, at) => all.findIndex((one) => one.target === target) === at);
}

/** The rules for what a service may depend on. */
export class DependencyRules {
  constructor(private readonly tree: ResourceTree) {}

  /**
   * Whether a service may depend on another one: that is in the same organization, of a type that it uses, and the caller
   * may use it. @throws DomainError `BadRequest` naming the dependency, `Forbidden`
   */
  async check(
    rights: Rights,
    { target: dependent, type }: Dependent,
    { target, path }: NamedDependency,
  ): Promise<void> {
    if (target === dependent) throw invalidField(path, 'is the service itself');
    if (segmentsOf(target)[0] !== segmentsOf(dependent)[0])
      throw invalidField(path, 'must be a service of the same organization');
    const found = canSee(rights, target) ? await this.#typeAt(target) : undefined;
    if (found === undefined) throw invalidField(path, `no service is visible at ${target}`);
    if (!allows(rights, 'service-use', target))
      throw new DomainError('Forbidden', `The permission service-use is missing at ${target}`);
    if (!mayUse(type, found))
      throw invalidField(path, `a service of the type ${type} does not use one of the type ${found}`);
  }

  /** @throws DomainError `Conflict` when a service loses the last dependency of a type that it needs */
  async requireNeeds({ target, type }: Dependent, before: readonly Target[], after: readonly Target[]): Promise<void> {
    const needed = needsOf(type);
    const lost = before.filter((one) => !after.includes(one));
    if (needed.length === 0 || lost.length === 0) return;
    const typesOf = (targets: readonly Target[]) => Promise.all(targets.map((one) => this.#typeAt(one)));
    const [gone, left] = [await typesOf(lost), await typesOf(after)];
    const missing = needed.find((one) => gone.includes(one) && !left.includes(one));
    if (missing !== undefined) throw new DomainError('Conflict', `${target} needs a service of the type ${missing}`);
  }

  async #typeAt(target: Target): Promise<string | undefined> {
    const type = (await this.tree.lookUp(target))?.type ?? '';
    return isServiceType(type) ? type : undefined;
  }
}
