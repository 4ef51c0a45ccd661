// The geometries of a room beside its atoms: points, arrows, boxes, planes, curves, a floor, isosurfaces. They are rebuilt
// when the geometries change, and with every frame if one of them depends on the frame.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Euler,
  Group,
  Matrix4,
  Mesh,
  PlaneGeometry,
  Quaternion,
  Vector3,
} from "three";
import type { Structure } from "@/lib/atoms/structure";
import { asFloats, isNumeric } from "@/lib/frames";
import { ArrowLayer } from "../stage/layers/arrows";
import type { Point } from "../stage/layers/cylinders";
import { surfaceMaterial } from "../stage/layers/surfaceMaterial";
import type { Stage } from "../stage/stage";
import { curveObjects } from "./curve";
import { IsosurfaceWorkerClient } from "./isosurfaceWorkerClient";
import {
  atomTextures,
  boxEdges,
  cylinders,
  GREY,
  inCell,
  type SceneObject,
  sceneObject,
  solid,
  spheres,
} from "./shapes";
import { type Geometry, numberOr, POSITIONS, textOrNull } from "./splitGeometries";

export class SceneObjects {
  private readonly group = new Group();
  private made: SceneObject[] = [];
  private geometries: ReadonlyMap<string, Geometry> = new Map();
  private structure: Structure | null = null;
  private readonly worker = new IsosurfaceWorkerClient();

  constructor(private readonly stage: Stage) {
    stage.scene.add(this.group);
  }

  set(geometries: ReadonlyMap<string, Geometry>): void {
    this.geometries = geometries;
    this.make();
  }

  show(structure: Structure): void {
    this.structure = structure;
    const moving = [...this.geometries.values()].some(({ type, data }) => dependsOnFrame(type, data));
    if (moving) this.make();
  }

  dispose(): void {
    this.clear();
    this.worker.dispose();
    this.stage.scene.remove(this.group);
  }

  private clear(): void {
    for (const { object, dispose } of this.made) {
      this.group.remove(object);
      dispose();
    }
    this.made = [];
    this.worker.forget();
  }

  private make(): void {
    this.clear();
    const reach = { far: 0 };
    for (const { type, data } of this.geometries.values())
      for (const made of this.build(type, data, reach)) {
        this.made.push(made);
        this.group.add(made.object);
      }
    this.stage.setSceneBounds(reach.far > 0 ? { centre: new Vector3(), radius: reach.far } : null);
  }

  private build(type: string, data: Geometry["data"], reach: { far: number }): SceneObject[] {
    const note = (points: readonly Point[]) => {
      for (const [x, y, z] of points) reach.far = Math.max(reach.far, Math.hypot(x, y, z) + 2);
    };
    switch (type) {
      case "spheres": {
        const points = this.points(data.position);
        note(points);
        const size = numberOr(data.radius, 1) * numberOr(data.scale, 0.7);
        return [
          spheres(
            this.stage,
            points,
            size,
            textOrNull(data.color)?.startsWith("#") ? String(data.color) : GREY,
          ),
        ];
      }
      case "arrows":
        return this.arrows(data);
      case "box": {
        const centres = this.points(data.position);
        note(centres);
        return centres.flatMap((centre) => this.box(centre, data));
      }
      case "plane":
        return [this.plane(data)];
      case "curve": {
        const points = this.points(data.points);
        note(points);
        return curveObjects(this.stage, points, data);
      }
      case "floor":
        return [this.floor(data, reach)];
      case "isosurface":
        return this.isosurface(data);
      default:
        return [];
    }
  }

  /** Points as they are written down, or a value of the frame. */
  private points(given: unknown): Point[] {
    if (Array.isArray(given))
      return given.filter((one): one is Point => Array.isArray(one) && one.length === 3);
    if (given === POSITIONS && this.structure) return rows(this.structure.positions, this.structure.count);
    const array = typeof given === "string" ? this.structure?.frame.get(given) : undefined;
    if (!isNumeric(array) || array.shape.length !== 2 || array.shape[1] !== 3) return [];
    return rows(asFloats(array), array.shape[0]!);
  }

  private arrows(data: Geometry["data"]): SceneObject[] {
    const [from, along] = [this.points(data.position), this.points(data.direction)];
    const count = Math.min(from.length, along.length);
    if (count === 0) return [];
    const atoms = atomTextures(from.slice(0, count), 0, GREY);
    const layer = new ArrowLayer(this.stage.shared);
    layer.tint(textOrNull(data.color), numberOr(data.radius, 0.06));
    layer.show(atoms, Float32Array.from(along.slice(0, count).flat()), numberOr(data.scale, 1));
    return [sceneObject(layer.mesh, layer, atoms)];
  }

  private box(centre: Point, data: Geometry["data"]): SceneObject[] {
    const [width, height, depth] = (data.size as Point | undefined) ?? [1, 1, 1];
    const [a, b, c] = ((data.rotation as Point | undefined) ?? [0, 0, 0]).map(
      (angle) => (angle * Math.PI) / 180,
    );
    const turn = new Quaternion().setFromEuler(new Euler(a, b, c, "ZYX"));
    const colour = textOrNull(data.color) ?? GREY;
    const matrix = new Matrix4().compose(new Vector3(...centre), turn, new Vector3(width, height, depth));
    if (data.wireframe === true) return [cylinders(this.stage, boxEdges(matrix, colour))];
    return [solid(this.stage, new BoxGeometry(), matrix, colour, numberOr(data.opacity, 0.5))];
  }

  private plane(data: Geometry["data"]): SceneObject {
    const [width, height] = (data.size as [number, number] | undefined) ?? [10, 10];
    const normal = new Vector3(...((data.normal as Point | undefined) ?? [0, 0, 1])).normalize();
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
    const centre = new Vector3(...((data.position as Point | undefined) ?? [0, 0, 0]));
    const matrix = new Matrix4().compose(centre, turn, new Vector3(width, height, 1));
    return solid(
      this.stage,
      new PlaneGeometry(),
      matrix,
      textOrNull(data.color) ?? GREY,
      numberOr(data.opacity, 0.5),
    );
  }

  private floor(data: Geometry["data"], reach: { far: number }): SceneObject {
    const size = numberOr(data.size, 100);
    const { low, middle } = this.below();
    const height = typeof data.height === "number" ? data.height : low - 1;
    reach.far = Math.max(reach.far, size / 2 + Math.hypot(middle.x, middle.z));
    const lines = {
      spacing: data.grid === false ? 0 : numberOr(data.spacing, 5),
      reach: size / 2,
      x: middle.x,
      z: middle.z,
    };
    const look = surfaceMaterial(
      this.stage.shared,
      textOrNull(data.color) ?? GREY,
      numberOr(data.opacity, 0.4),
      lines,
    );
    const geometry = new PlaneGeometry(size, size).rotateX(-Math.PI / 2);
    const mesh = new Mesh(geometry, look);
    mesh.position.set(middle.x, height, middle.z);
    mesh.updateMatrix();
    mesh.updateMatrixWorld();
    return sceneObject(mesh, geometry, look);
  }

  private below(): { low: number; middle: Vector3 } {
    const { positions, count } = this.stage.atoms;
    let low = Number.POSITIVE_INFINITY;
    const middle = new Vector3();
    for (let i = 0; i < count; i++) {
      low = Math.min(low, positions[4 * i + 1]! - positions[4 * i + 3]!);
      middle.x += positions[4 * i]! / count;
      middle.z += positions[4 * i + 2]! / count;
    }
    return { low: Number.isFinite(low) ? low : 0, middle };
  }

  private isosurface(data: Geometry["data"]): SceneObject[] {
    const { structure } = this;
    const array = structure?.frame.get(String(data.grid));
    const cell = structure?.cell;
    if (!structure || !isNumeric(array) || array.shape.length !== 3 || !cell) return [];
    const level = numberOr(data.isovalue, 0.05);
    const levels = data.bothSigns === false ? [level] : [level, -level];
    const colours = [textOrNull(data.color) ?? "#1565c0", textOrNull(data.negativeColor) ?? "#c62828"];
    const group = new Group();
    const parts: { dispose(): void }[] = [];
    const request = {
      values: Float32Array.from(asFloats(array)),
      shape: array.shape as unknown as readonly [number, number, number],
      levels,
      step: Math.max(1, Math.trunc(numberOr(data.step, 1))),
      periodic: structure.pbc,
    };
    this.worker.request(request, ({ surfaces }) => {
      surfaces.forEach(({ positions, triangles }, at) => {
        if (triangles.length === 0) return;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(inCell(positions, cell), 3));
        geometry.setIndex(new BufferAttribute(triangles, 1));
        geometry.computeVertexNormals();
        const look = surfaceMaterial(this.stage.shared, colours[at]!, numberOr(data.opacity, 0.6));
        group.add(new Mesh(geometry, look));
        parts.push(geometry, look);
      });
      this.stage.invalidate();
    });
    return [{ object: group, dispose: () => parts.forEach((part) => void part.dispose()) }];
  }
}

function rows(values: ArrayLike<number>, count: number): Point[] {
  return Array.from({ length: count }, (_, i) => [values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!]);
}

function dependsOnFrame(type: string, data: Geometry["data"]): boolean {
  if (type === "floor") return data.height === "auto";
  return [data.position, data.direction, data.grid].some((one) => typeof one === "string");
}
