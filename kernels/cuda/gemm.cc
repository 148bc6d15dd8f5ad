// SPDX-License-Identifier: MIT
#include "kernels/cuda/gemm.h"

#if __has_include(<cublasLt.h>) && __has_include(<dlfcn.h>)
#include <cublasLt.h>
#include <dlfcn.h>

namespace kvgauge::kernels::cuda {

struct Gemm::State {
    void* library = nullptr;
    cublasLtHandle_t handle = nullptr;
    cublasLtMatmulDesc_t product = nullptr;
    cublasLtMatrixLayout_t a = nullptr;
    cublasLtMatrixLayout_t b = nullptr;
    cublasLtMatrixLayout_t d = nullptr;
    cublasLtMatmulHeuristicResult_t choice{};
    std::uint64_t workspace_bytes = 0;

    decltype(&cublasLtCreate) create = nullptr;
    decltype(&cublasLtDestroy) destroy = nullptr;
    decltype(&cublasLtMatmulDescCreate) product_create = nullptr;
    decltype(&cublasLtMatmulDescDestroy) product_destroy = nullptr;
    decltype(&cublasLtMatmulDescSetAttribute) product_set = nullptr;
    decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
    decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
    decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
    decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
    decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
    decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
    decltype(&cublasLtMatmul) matmul = nullptr;

    template <class F>
    bool find(F& function, const char* name) const {
        function = reinterpret_cast<F>(dlsym(library, name));
        return function != nullptr;
    }

    bool load() {
        // The header's own major version first: the interface is stable within one.
        const std::string versioned = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);
        for (const char* name : {versioned.c_str(), "libcublasLt.so"}) {
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (library != nullptr) break;
        }
        return library != nullptr && find(create, "cublasLtCreate") &&
               find(destroy, "cublasLtDestroy") &&
               find(product_create, "cublasLtMatmulDescCreate") &&
               find(product_destroy, "cublasLtMatmulDescDestroy") &&
               find(product_set, "cublasLtMatmulDescSetAttribute") &&
               find(layout_create, "cublasLtMatrixLayoutCreate") &&
               find(layout_destroy, "cublasLtMatrixLayoutDestroy") &&
               find(preference_create, "cublasLtMatmulPreferenceCreate") &&
               find(preference_destroy, "cublasLtMatmulPreferenceDestroy") &&
               find(preference_set, "cublasLtMatmulPreferenceSetAttribute") &&
               find(heuristic, "cublasLtMatmulAlgoGetHeuristic") && find(matmul, "cublasLtMatmul");
    }

    ~State() {
        if (d) layout_destroy(d);
        if (b) layout_destroy(b);
        if (a) layout_destroy(a);
        if (product) product_destroy(product);
        if (handle) destroy(handle);
        if (library) dlclose(library);
    }

    // Row-major A[m][k], B[n][k] are the column-major k x m and k x n; D row-major is n x m.
    std::string prepare(Element element, int m, int n, int k) {
        const cudaDataType_t type = element == Element::bf16 ? CUDA_R_16BF : CUDA_R_16F;
        const cublasOperation_t transposed = CUBLAS_OP_T;
        const auto rows = [](int v) { return static_cast<std::uint64_t>(v); };
        if (create(&handle) != CUBLAS_STATUS_SUCCESS) return "gemm: cuBLASLt does not start";
        if (product_create(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F) != CUBLAS_STATUS_SUCCESS ||
            product_set(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed) !=
                CUBLAS_STATUS_SUCCESS ||
            layout_create(&a, type, rows(k), rows(n), k) != CUBLAS_STATUS_SUCCESS ||
            layout_create(&b, type, rows(k), rows(m), k) != CUBLAS_STATUS_SUCCESS ||
            layout_create(&d, type, rows(n), rows(m), n) != CUBLAS_STATUS_SUCCESS)
            return "gemm: cuBLASLt refuses the product";
        cublasLtMatmulPreference_t preference = nullptr;
        if (preference_create(&preference) != CUBLAS_STATUS_SUCCESS)
            return "gemm: cuBLASLt refuses a preference";
        preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                       sizeof workspace_bytes);
        int found = 0;
        const cublasStatus_t status =
            heuristic(handle, product, a, b, d, d, preference, 1, &choice, &found);
        preference_destroy(preference);
        if (status != CUBLAS_STATUS_SUCCESS || found == 0)
            return "gemm: cuBLASLt has no algorithm for this product here";
        return {};
    }
};

Gemm::Gemm(std::unique_ptr<State> state) : state_(std::move(state)) {}
Gemm::~Gemm() = default;

std::unique_ptr<Gemm> Gemm::open(Element element, int m, int n, int k,
                                 std::uint64_t workspace_bytes, std::string& problem) {
    auto state = std::make_unique<State>();
    state->workspace_bytes = workspace_bytes;
    if (!state->load()) {
        problem = "gemm: libcublasLt is not installed; weight products are not measured";
        return nullptr;
    }
    problem = state->prepare(element, m, n, k);
    if (!problem.empty()) return nullptr;
    return std::unique_ptr<Gemm>(new Gemm(std::move(state)));
}

std::string Gemm::launch(const void* a, const void* b, void* d, void* workspace, void* stream) {
    const float one = 1.0f;
    const float zero = 0.0f;
    State& s = *state_;
    const cublasStatus_t status =
        s.matmul(s.handle, s.product, &one, b, s.a, a, s.b, &zero, d, s.d, d, s.d, &s.choice.algo,
                 workspace, s.workspace_bytes, static_cast<cudaStream_t>(stream));
    if (status == CUBLAS_STATUS_SUCCESS) return {};
    return "gemm: cuBLASLt failed with status " + std::to_string(static_cast<int>(status));
}

}  // namespace kvgauge::kernels::cuda

#else

namespace kvgauge::kernels::cuda {

struct Gemm::State {};
Gemm::Gemm(std::unique_ptr<State>) {}
Gemm::~Gemm() = default;
std::unique_ptr<Gemm> Gemm::open(Element, int, int, int, std::uint64_t, std::string& problem) {
    problem = "gemm: this kvgauge was built without cuBLASLt; weight products are not measured";
    return nullptr;
}
std::string Gemm::launch(const void*, const void*, void*, void*, void*) {
    return "gemm: not there";
}

}  // namespace kvgauge::kernels::cuda

#endif
