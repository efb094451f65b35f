// SPDX-License-Identifier: MIT
// Unified memory as people use it: a graph of vectors in managed memory searched in breadth by
// kernels that take turns with the host, parts of it joined with compare-and-swap, objects with
// virtual functions made on the device, a linked list that both sides walk, and events between
// streams. What is printed does not depend on the order of atomics.
#include <algorithm>
#include <new>

#include "program.cuh"

template <class T>
struct Managed {
  T* data = nullptr;
  std::size_t size = 0;
  explicit Managed(std::size_t count) : size(count) {
    CHECK(cudaMallocManaged(&data, count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i) data[i] = T{};
  }
  ~Managed() { cudaFree(data); }
  T& operator[](std::size_t i) { return data[i]; }
};

struct Graph {
  int nodes = 0;
  int* first = nullptr;  // of the edges of each node
  int* to = nullptr;
};

__global__ void step(Graph graph, int level, int* depth, const int* frontier, int size, int* next,
                     int* count) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < size; k += gridDim.x * blockDim.x)
    for (int edge = graph.first[frontier[k]]; edge < graph.first[frontier[k] + 1]; ++edge)
      if (atomicCAS(&depth[graph.to[edge]], -1, level) == -1)
        next[atomicAdd(count, 1)] = graph.to[edge];
}

__device__ int root_of(volatile int* parent, int node) {
  while (parent[node] != node) node = parent[node];
  return node;
}
__global__ void join(Graph graph, int* parent) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= graph.nodes) return;
  for (int edge = graph.first[node]; edge < graph.first[node + 1]; ++edge) {
    int a = root_of(parent, node), b = root_of(parent, graph.to[edge]);
    while (a != b) {  // the smaller one stays
      const int high = max(a, b), low = min(a, b);
      if (atomicCAS(&parent[high], high, low) == high) break;
      a = root_of(parent, high);
      b = root_of(parent, low);
    }
  }
}
__global__ void flatten(int* parent, int* root, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes) root[node] = root_of(parent, node);
}

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual double area() const = 0;
};
struct Box : Shape {
  double width, height;
  __device__ Box(double w, double h) : width(w), height(h) {}
  __device__ double area() const override { return width * height; }
};
struct Disc : Shape {
  double radius;
  __device__ explicit Disc(double r) : radius(r) {}
  __device__ double area() const override { return 3.14159265358979323846 * radius * radius; }
};
__global__ void make(Shape** shapes, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  if (at % 3 == 0)
    shapes[at] = new Disc(at * 0.25);
  else
    shapes[at] = new Box(at, 1.0 / at);
}
__global__ void measure(Shape** shapes, int count, double* areas) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  areas[at] = shapes[at]->area();
  delete shapes[at];
}

struct Link {
  int value;
  Link* next;
};
__global__ void walk(Link* link, long long* sum) {
  for (; link != nullptr; link = link->next) {
    *sum = *sum * 3 + link->value;
    link->value += 1;
  }
}

__managed__ int shared_counter = 5;
__global__ void count_up() { atomicAdd(&shared_counter, 1); }

int main() {
  constexpr int kNodes = 3000;
  Numbers numbers;
  Managed<int> first(kNodes + 1), to(2 * kNodes), depth(kNodes), a(kNodes), b(kNodes), count(1);
  int edges = 0;
  for (int node = 0; node < kNodes; ++node) {
    first[node] = edges;
    for (int k = abs(numbers.next(2)); k > 0; --k)
      to[edges++] = (numbers.next(kNodes / 2) + kNodes / 2) % kNodes;
    depth[node] = -1;
  }
  first[kNodes] = edges;
  const Graph graph{kNodes, first.data, to.data};
  CHECK(cudaMemPrefetchAsync(first.data, first.size * sizeof(int),
                             cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
  int *frontier = a.data, *next = b.data, size = 1, levels = 0;
  frontier[0] = 7;
  depth[7] = 0;
  while (size > 0) {
    count[0] = 0;
    step<<<4, 128>>>(graph, ++levels, depth.data, frontier, size, next, count.data);
    CHECK(cudaDeviceSynchronize());
    size = count[0];
    std::swap(frontier, next);
  }
  std::printf("%d levels, %d reached\n", levels,
              static_cast<int>(kNodes - std::count(depth.data, depth.data + kNodes, -1)));
  print_bits(std::vector<int>(depth.data, depth.data + kNodes));

  Managed<int> parent(kNodes), root(kNodes);
  for (int node = 0; node < kNodes; ++node) parent[node] = node;
  join<<<(kNodes + 127) / 128, 128>>>(graph, parent.data);
  flatten<<<(kNodes + 127) / 128, 128>>>(parent.data, root.data, kNodes);
  CHECK(cudaDeviceSynchronize());
  int parts = 0;
  for (int node = 0; node < kNodes; ++node) parts += root[node] == node;
  std::printf("%d parts\n", parts);
  print_bits(std::vector<int>(root.data, root.data + kNodes));

  Managed<Shape*> shapes(300);
  Managed<double> areas(300);
  cudaStream_t one, two;
  cudaEvent_t made;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  make<<<3, 100, 0, one>>>(shapes.data, 300);
  CHECK(cudaEventRecord(made, one));
  CHECK(cudaStreamWaitEvent(two, made, 0));
  measure<<<3, 100, 0, two>>>(shapes.data, 300, areas.data);
  CHECK(cudaStreamSynchronize(two));
  double whole = 0;
  for (int i = 0; i < 300; ++i) whole += areas[i];
  std::printf("%.17g\n", whole);

  Managed<Link> links(50);
  Managed<long long> sum(1);
  for (int i = 0; i < 50; ++i) links[i] = {i * i, &links[(i + 7) % 50]};
  links[43].next = nullptr;  // the last of 50 in steps of 7
  walk<<<1, 1>>>(links.data, sum.data);
  shared_counter = 10;
  count_up<<<2, 64>>>();
  CHECK(cudaDeviceSynchronize());
  int walked = 0;
  for (const Link* link = links.data; link != nullptr; link = link->next) walked += link->value;
  std::printf("%016llx %d %d\n", static_cast<unsigned long long>(sum[0]), walked, shared_counter);
  return 0;
}
